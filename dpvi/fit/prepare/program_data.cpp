#include <dpvi/fit/prepare/program_data.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

DeclaredNumber declared(const StatedNumber& stated) {
  if (stated.number) {
    DeclaredNumber number = DeclaredNumber::number(*stated.number);
    number.text = stated.text;
    return number;
  }
  if (!stated.size.empty()) return DeclaredNumber::size_plus(stated.size, stated.plus);
  return DeclaredNumber::expression(stated.text);
}

// Evaluates integers and their sums, differences, products and quotients. Returns nullopt for any
// other expression.
std::optional<double> integer_value(const StanExpression& expression,
                                    const DeclaredNumber::Integers& known) {
  if (expression.kind == ExpressionKind::integer_literal) return expression.number;
  if (!expression.type.is_int()) return std::nullopt;
  if (expression.kind == ExpressionKind::variable) return known(expression.name);
  if (expression.kind != ExpressionKind::binary) return std::nullopt;
  const auto left = integer_value(*expression.operands[0], known);
  const auto right = integer_value(*expression.operands[1], known);
  if (!left || !right) return std::nullopt;
  switch (expression.op) {
    case Operator::add:
      return *left + *right;
    case Operator::subtract:
      return *left - *right;
    case Operator::multiply:
      return *left * *right;
    case Operator::divide:
    case Operator::integer_divide:
      return *right != 0 ? std::optional(std::trunc(*left / *right)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

DeclaredNumber declared_size(const StatedNumber& stated) {
  DeclaredNumber size = declared(stated);
  if (size.kind != DeclaredNumber::Kind::expression) return size;
  size.evaluate = [expression = stated.expression](const DeclaredNumber::Integers& known) {
    return integer_value(*expression, known);
  };
  return size;
}

Container container_of(StanBase base) {
  switch (base) {
    case StanBase::vector:
      return Container::vector;
    case StanBase::row_vector:
      return Container::row_vector;
    case StanBase::matrix:
      return Container::matrix;
    default:
      return Container::scalar;
  }
}

// Container of one record's part: a scalar for `vector[N] y`, a row for `matrix[N, K] x`.
Container record_container(StanType type, std::size_t sizes_left) {
  if (type.array_rank > 0) return container_of(type.base);
  if (type.base == StanBase::matrix && sizes_left == 1) return Container::row_vector;
  return Container::scalar;
}

DataVariable data_variable(const DataBlockVariable& variable, bool several_tables,
                           const std::string& file) {
  const Declaration& declaration = *variable.declaration;
  const StanType type = declaration.type();
  DataVariable result;
  result.name = declaration.name;
  result.base = type.base == StanBase::integer ? BaseType::integer : BaseType::real;
  result.per_record = variable.role == DataRole::record;
  if (result.per_record && several_tables) result.table = variable.table + 1;
  for (const StatedNumber& size : variable.sizes) {
    result.dimensions.push_back(declared_size(size));
  }
  result.container =
      result.per_record ? record_container(type, variable.sizes.size()) : container_of(type.base);
  if (variable.lower) result.lower = declared(*variable.lower);
  if (variable.upper) result.upper = declared(*variable.upper);
  result.used_as_size = variable.used_as_size;
  result.type_description = variable.type_description;
  result.place = {file, static_cast<int>(declaration.spot.line),
                  static_cast<int>(declaration.spot.column)};
  return result;
}

}  // namespace

std::vector<DataVariable> data_variables(const DataBlock& data, const std::string& file) {
  std::vector<DataVariable> result;
  for (const DataBlockVariable& variable : data.variables) {
    const bool bound = variable.role == DataRole::record || variable.role == DataRole::known;
    if (bound) result.push_back(data_variable(variable, !data.tables.empty(), file));
  }
  if (!data.table_number) return result;
  DataVariable number;
  number.name = TableNumber::kName;
  number.base = BaseType::integer;
  number.per_record = true;
  number.is_table_number = true;
  number.lower = DeclaredNumber::number(1.0);
  number.upper = DeclaredNumber::number(static_cast<double>(data.tables.size()));
  number.type_description = "int";
  result.push_back(std::move(number));
  return result;
}

std::vector<std::string> record_counts(const Schema& schema, const std::string& record_count) {
  std::vector<std::string> counts;
  for (const CountedTable& table : schema.tables) counts.push_back(table.count);
  if (counts.empty()) counts.push_back(record_count);
  return counts;
}

KnownData known_data(const PublicData& data) {
  KnownData known;
  for (const auto& [name, value] : data) {
    known[name] = {{value.dimensions.begin(), value.dimensions.end()}, value.numbers};
  }
  return known;
}

RecordFacts record_facts(const Binding& binding) {
  RecordFacts facts;
  for (const BoundVariable& variable : binding.variables) {
    const auto& slots =
        variable.base == BaseType::integer ? binding.integer_slots : binding.real_slots;
    for (std::size_t i = 0; i < variable.count; ++i) {
      const SlotFacts& known = slots[variable.first_slot + i].facts;
      facts[variable.name].push_back({known.mean, known.sd, known.lower, known.upper});
    }
  }
  return facts;
}

void check_same_columns(const StanModel& model, const Binding& binding) {
  const auto differs = [](const RecordVariable& columns, const BoundVariable& bound) {
    return columns.variable->declaration->name != bound.name ||
           columns.integer != (bound.base == BaseType::integer) ||
           columns.first_column != static_cast<std::int32_t>(bound.first_slot) ||
           columns.count != static_cast<std::int32_t>(bound.count);
  };
  const std::vector<RecordVariable>& rows = model.row_variables();
  if (!std::equal(rows.begin(), rows.end(), binding.variables.begin(), binding.variables.end(),
                  [&](const auto& a, const auto& b) { return !differs(a, b); })) {
    throw InternalError(kInternal, "the program and the table disagree about the columns.",
                        "Please report this with the model's data block.");
  }
}

}  // namespace dpvi
