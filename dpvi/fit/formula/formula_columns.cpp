#include <dpvi/fit/formula/formula_columns.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>
#include <dpvi/data/variable_name.hpp>
#include <dpvi/stan/syntax/reserved_words.hpp>
#include <dpvi/stan/types/function_table.hpp>

namespace dpvi {

namespace {

// Names of parameters and computed variables begin or end like this.
bool looks_generated(const std::string& name) {
  for (const char* beginning : {"b_", "z_", "r_", "sd_", "L_"}) {
    if (name.starts_with(beginning)) return true;
  }
  for (const char* ending : {"_scaled", "_yes", kLevelsEnding}) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

}  // namespace

std::string in_comment(std::string text) {
  for (char& c : text) {
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
  }
  return text;
}

std::string stan_name(const std::string& column) {
  std::string name = variable_name(column);
  const bool taken = is_reserved_word(name) || find_function(name) != nullptr || name == "N" ||
                     name == "eta" || name == kExpected || name == "intercept" || name == "sigma" ||
                     name == "nu" || name == "phi" || name == "cut_points";
  if (taken) return name + std::string(kVariableEnding);
  return looks_generated(name) ? std::string(kVariableBeginning) + name : name;
}

const ColumnSchema& FormulaColumns::column(const std::string& name) const {
  if (const ColumnSchema* found = schema_.find_column(name)) return *found;
  std::vector<std::string> names;
  for (const ColumnSchema& known : schema_.columns) names.push_back(known.name);
  const auto near = nearest_name(name, names);
  throw InputError(kUndeclaredPublicFact,
                   fmt::format("Column '{}' of the formula is not in the schema.", name),
                   near ? fmt::format("Did you mean '{}'?", *near)
                        : fmt::format("Add [columns.{}] with its type.", name),
                   {schema_.file, 0, 0});
}

std::string FormulaColumns::declare(const ColumnSchema& known, const std::string& type) {
  if (const auto found = names_.find(known.name); found != names_.end()) {
    if (types_[known.name] == type) return found->second;
    throw UsageError(kContradiction,
                     fmt::format("Column '{}' is used in two ways, as {} and as {}.", known.name,
                                 types_[known.name], type),
                     "Remove it from one of the two places.");
  }
  std::string name = free_name(known.name);
  names_[known.name] = name;
  types_[known.name] = type;
  head_.data += fmt::format("  {} {};\n", type, name);
  if (name != known.name) {
    head_.notes += fmt::format("// Add to the schema, under [model]: {} = \"{}\"\n", name,
                               in_comment(known.name));
  }
  return name;
}

std::string FormulaColumns::free_name(const std::string& column) const {
  const std::string wanted = stan_name(column);
  const auto is_taken = [&](const std::string& name) {
    const bool other_column = name != column && schema_.find_column(name) != nullptr;
    return other_column ||
           std::ranges::any_of(names_, [&](const auto& used) { return used.second == name; });
  };
  std::string name = wanted;
  for (int number = 2; is_taken(name); ++number) name = fmt::format("{}_{}", wanted, number);
  return name;
}

std::string FormulaColumns::declare_codes(const ColumnSchema& known) {
  return declare(known, fmt::format("array[N] int<lower=1, upper={}>", level_count_text(known)));
}

std::string FormulaColumns::level_count_text(const ColumnSchema& known) {
  if (const std::int64_t levels = level_count(known); levels > 0) return fmt::format("{}", levels);
  std::string size = stan_name(known.name) + kLevelsEnding;
  if (sizes_.insert(size).second) head_.data += fmt::format("  int<lower=1> {};\n", size);
  return size;
}

std::map<std::string, std::string> FormulaColumns::renamed() const {
  std::map<std::string, std::string> renamed;
  for (const auto& [column, name] : names_) {
    if (column != name) renamed[name] = column;
  }
  return renamed;
}

std::int64_t level_count(const ColumnSchema& known) {
  return static_cast<std::int64_t>(known.levels.size());
}

std::string bounds_of(const ColumnSchema& known) {
  if (known.standardise || (!known.lower && !known.upper)) return "";
  std::vector<std::string> parts;
  if (known.lower) parts.push_back(fmt::format("lower={}", *known.lower));
  if (known.upper) parts.push_back(fmt::format("upper={}", *known.upper));
  return fmt::format("<{}>", fmt::join(parts, ", "));
}

}  // namespace dpvi
