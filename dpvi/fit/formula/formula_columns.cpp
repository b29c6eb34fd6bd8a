#include <dpvi/fit/formula/formula_columns.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>
#include <dpvi/stan/syntax/reserved_words.hpp>
#include <dpvi/stan/types/function_table.hpp>

namespace dpvi {

std::string in_comment(std::string text) {
  for (char& c : text) {
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
  }
  return text;
}

std::string stan_name(const std::string& column) {
  std::string name;
  for (const char c : column) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) name = "x" + name;
  while (name.ends_with("_")) name.pop_back();
  const bool taken = is_reserved_word(name) || find_function(name) != nullptr || name == "N" ||
                     name == "eta" || name == kExpected || name == "intercept" || name == "sigma" ||
                     name == "nu" || name == "phi" || name == "cut_points";
  return taken ? name + "_column" : name;
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
  std::string name = stan_name(known.name);
  for (const auto& [other, taken] : names_) {
    if (taken == name) {
      throw InputError(
          kNotBindable,
          fmt::format("Columns '{}' and '{}' would both be called '{}'.", other, known.name, name),
          "Rename one in the table.", known.place);
    }
  }
  names_[known.name] = name;
  types_[known.name] = type;
  head_.data += fmt::format("  {} {};\n", type, name);
  if (name != known.name) {
    head_.notes += fmt::format("// Add to the schema, under [model]: {} = \"{}\"\n", name,
                               in_comment(known.name));
  }
  return name;
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
