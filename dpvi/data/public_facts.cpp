#include <dpvi/data/public_facts.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/data/shape.hpp>

namespace dpvi {
namespace {

std::string numbers_text(const PublicValue& value) {
  constexpr std::size_t kShown = 8;
  if (value.dimensions.empty()) return fmt::format("{}", value.numbers.front());
  const std::size_t shown = std::min(kShown, value.numbers.size());
  return fmt::format("{}: {}{}", shape_description(value.dimensions),
                     fmt::join(value.numbers.begin(),
                               value.numbers.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < value.numbers.size() ? ", ..." : "");
}

std::string column_text(const ColumnSchema& column) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view name, const std::optional<double>& value) {
    if (value) parts.push_back(fmt::format("{} {}", name, *value));
  };
  if (!column.levels.empty()) {
    parts.push_back(fmt::format("levels {}", fmt::join(column.levels, ", ")));
  }
  if (!column.shares.empty()) {
    parts.push_back(fmt::format("shares {:.4g}", fmt::join(column.shares, ", ")));
  }
  add("lower", column.lower);
  add("upper", column.upper);
  add("mean", column.mean);
  add("sd", column.sd);
  if (column.cells.date) {
    parts.push_back(fmt::format("dates {}, as days", column.cells.date->pattern));
  }
  for (const auto& [text, value] : column.cells.synonyms) {
    const bool level = !column.levels.empty();
    parts.push_back(fmt::format(
        "'{}' counts as {}", text,
        level ? column.levels[static_cast<std::size_t>(value) - 1] : fmt::format("{}", value)));
  }
  if (column.standardise) parts.emplace_back("standardised");
  if (column.public_levels) parts.emplace_back("its levels are public groups, not persons");
  if (column.value_if_missing && column.levels.empty()) {
    add("missing counts as", column.value_if_missing);
  } else if (column.value_if_missing) {
    const auto code = static_cast<std::size_t>(*column.value_if_missing);
    parts.push_back("missing counts as " + column.levels[code - 1]);
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

std::vector<PublicFact> list_public_facts(const BindingRequest& request, const Binding& binding) {
  const Schema& schema = request.schema;
  std::vector<PublicFact> facts;
  if (schema.rows) facts.push_back({"rows", fmt::format("{}", *schema.rows), schema.file});
  if (schema.unit) {
    facts.push_back(
        {"unit",
         fmt::format("{}, at most {} rows of each", schema.unit->column, schema.unit->max_rows),
         schema.file});
  }
  for (const CountedTable& table : schema.tables) {
    const std::string rows = table.column.empty()
                                 ? "rows of a file of its own"
                                 : fmt::format("rows with {} = {}", table.column, table.equals);
    facts.push_back({"table " + table.count, rows, schema.file});
  }
  for (const BoundColumn& column : binding.columns) {
    const ColumnSchema* declared = schema.find_column(column.name);
    const std::string text = declared != nullptr ? column_text(*declared) : std::string();
    facts.push_back({"column " + column.name, text.empty() ? "its name" : text,
                     text.empty() ? "header" : schema.file});
  }
  for (const DataVariable& variable : request.variables) {
    const auto found = binding.public_data.find(variable.name);
    if (variable.per_record || found == binding.public_data.end()) continue;
    facts.push_back({variable.name, numbers_text(found->second), found->second.source});
  }
  return facts;
}

}  // namespace dpvi
