#include <dpvi/stan/facts/data_block.hpp>

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/stan/syntax/expression_text.hpp>

namespace dpvi {
namespace {

// Calls `visit` for the expression and all its descendants.
void walk(const StanExpression& expression,
          const std::function<void(const StanExpression&)>& visit) {
  visit(expression);
  for (const ExpressionPtr& operand : expression.operands) walk(*operand, visit);
  for (const StanIndex& index : expression.indices) {
    if (index.low) walk(*index.low, visit);
    if (index.high) walk(*index.high, visit);
  }
}

bool mentions(const StanExpression& expression, const std::string& name) {
  bool found = false;
  walk(expression, [&](const StanExpression& part) {
    found = found || (part.kind == ExpressionKind::variable && part.name == name);
  });
  return found;
}

// The array sizes, then those of the vector or matrix.
std::vector<const StanExpression*> all_sizes(const Declaration& declaration) {
  std::vector<const StanExpression*> list;
  for (const ExpressionPtr& size : *declaration.array_sizes) list.push_back(size.get());
  const std::vector<ExpressionPtr>& inner = declaration.declared->sizes;
  for (const ExpressionPtr& size : inner) list.push_back(size.get());
  const bool square = declaration.declared->base == StanBase::matrix && inner.size() == 1;
  if (square) list.push_back(inner[0].get());
  return list;
}

std::optional<double> literal(const StanExpression& expression) {
  if (expression.kind == ExpressionKind::integer_literal ||
      expression.kind == ExpressionKind::real_literal) {
    return expression.number;
  }
  if (expression.kind == ExpressionKind::unary && expression.op == Operator::negate) {
    if (const auto inner = literal(*expression.operands[0])) return -*inner;
  }
  return std::nullopt;
}

StatedNumber stated(const StanExpression& expression) {
  StatedNumber made;
  made.text = to_text(expression);
  made.expression = &expression;
  made.number = literal(expression);
  if (expression.kind == ExpressionKind::variable && expression.type.is_int()) {
    made.size = expression.name;
  }
  const bool sum = expression.kind == ExpressionKind::binary &&
                   (expression.op == Operator::add || expression.op == Operator::subtract);
  if (sum && expression.operands[0]->kind == ExpressionKind::variable &&
      expression.operands[0]->type.is_int()) {
    if (const auto plus = literal(*expression.operands[1])) {
      made.size = expression.operands[0]->name;
      made.plus = expression.op == Operator::add ? *plus : -*plus;
    }
  }
  return made;
}

DataBlockVariable described(const Declaration& declaration,
                            const std::vector<std::string>& record_counts) {
  DataBlockVariable made;
  made.declaration = &declaration;
  made.type_description = type_description(declaration);
  std::vector<const StanExpression*> sizes = all_sizes(declaration);
  const bool by_name = !sizes.empty() && sizes[0]->kind == ExpressionKind::variable;
  const std::string& counted = sizes.empty() ? declaration.name : sizes[0]->name;
  const auto count = std::ranges::find(record_counts, counted);
  if (count != record_counts.end() && (sizes.empty() || by_name)) {
    made.role = sizes.empty() ? DataRole::record_count : DataRole::record;
    made.table = static_cast<std::size_t>(count - record_counts.begin());
    if (by_name) sizes.erase(sizes.begin());
  }
  for (const StanExpression* size : sizes) made.sizes.push_back(stated(*size));
  if (declaration.declared->lower) made.lower = stated(*declaration.declared->lower);
  if (declaration.declared->upper) made.upper = stated(*declaration.declared->upper);
  return made;
}

// True if this int is used in a size of a data or transformed data variable.
bool counts_data(const StanProgram& program, const std::string& name) {
  for (const BlockKind kind : {BlockKind::data, BlockKind::transformed_data}) {
    for (const StatementPtr& statement : program.block(kind).statements) {
      if (statement->kind != StatementKind::declaration) continue;
      for (const StanExpression* size : all_sizes(*statement->declaration)) {
        if (mentions(*size, name)) return true;
      }
    }
  }
  return false;
}

// Reports a record count that is not the leading size, and sizes that depend on record data.
void report_sizes(const DataBlock& data, const std::string& record_count, Findings& findings) {
  for (const DataBlockVariable& variable : data.variables) {
    const std::string& name = variable.declaration->name;
    const std::vector<const StanExpression*> sizes = all_sizes(*variable.declaration);
    for (std::size_t i = variable.role == DataRole::record ? 1 : 0; i < sizes.size(); ++i) {
      const StanExpression& size = *sizes[i];
      if (mentions(size, record_count)) {
        findings.error(
            kModelRecords, size.spot,
            fmt::format("'{}' uses the record count {} in another place than its first size.", name,
                        record_count),
            "Record data have the record count as their first size and nowhere else; write one "
            "value or row per record.");
      }
      for (const DataBlockVariable& other : data.variables) {
        if (other.role != DataRole::record || !mentions(size, other.declaration->name)) continue;
        findings.error(kModelRecords, size.spot,
                       fmt::format("The size of '{}', {}, is computed from record data ('{}').",
                                   name, to_text(size), other.declaration->name),
                       "Write a table with one row for each value, counted by an int of its own "
                       "(--records), and a column with the group. If the rows of a group belong to "
                       "one person, a unit in the schema makes them one record.");
      }
    }
  }
}

void report_missing_count(const StanProgram& program, const std::string& record_count,
                          Findings& findings) {
  if (program.block(BlockKind::data).statements.empty()) {
    findings.error(
        kModelRecords, program.block(BlockKind::data).spot,
        "The program takes no data, so there are no records that a fit could protect.",
        fmt::format(
            "Declare int {0}, and the record data with {0} as their first size, in a data block.",
            record_count));
    return;
  }
  const std::vector<std::string> counts = possible_record_counts(program);
  std::string list;
  for (const std::string& name : counts) list += (list.empty() ? "" : ", ") + name;
  std::string hint =
      "No data variable has one entry for each record. Declare the records as a table, e.g. int N; "
      "array[N] int y. A value computed from all of them (a number of successes) is not a record.";
  if (counts.size() == 1) hint = fmt::format("Give --records {} if it counts the records.", list);
  if (counts.size() > 1) {
    std::vector<std::string> flags, sections;
    for (const std::string& name : counts) {
      flags.push_back(fmt::format(" --table {}=FILE", name));
      sections.push_back(
          fmt::format("[tables.{}] where = {{column = \"event\", equals = \"...\"}}", name));
    }
    hint = fmt::format(
        "Give --records NAME with the one of {} that counts the records. If several do, give each "
        "its table:{}; or rows of one file, in the schema: {}.",
        list, fmt::join(flags, ""), fmt::join(sections, ", "));
  }
  findings.error(
      kModelRecords, program.block(BlockKind::data).spot,
      fmt::format("The data block declares no int '{}', the record count.", record_count), hint);
}

}  // namespace

std::vector<std::string> possible_record_counts(const StanProgram& program) {
  std::vector<std::string> names;
  for (const StatementPtr& statement : program.block(BlockKind::data).statements) {
    if (statement->kind != StatementKind::declaration) continue;
    const auto sizes = all_sizes(*statement->declaration);
    if (sizes.empty() || sizes[0]->kind != ExpressionKind::variable) continue;
    if (!sizes[0]->type.is_int()) continue;
    if (std::find(names.begin(), names.end(), sizes[0]->name) == names.end()) {
      names.push_back(sizes[0]->name);
    }
  }
  return names;
}

std::optional<std::string> other_record_count(const StanProgram& program, const std::string& name) {
  if (counts_data(program, name)) return std::nullopt;
  const std::vector<std::string> counts = possible_record_counts(program);
  return counts.size() == 1 ? std::optional(counts[0]) : std::nullopt;
}

const DataBlockVariable* DataBlock::find(std::string_view name) const {
  const auto found = std::find_if(
      variables.begin(), variables.end(),
      [&](const DataBlockVariable& variable) { return variable.declaration->name == name; });
  return found == variables.end() ? nullptr : &*found;
}

namespace {

std::shared_ptr<const TableNumber> table_number() {
  auto made = std::make_shared<TableNumber>();
  made->declaration.name = TableNumber::kName;
  made->declaration.declared = std::make_shared<DeclaredType>();
  made->declaration.declared->base = StanBase::integer;
  made->declaration.array_sizes = std::make_shared<std::vector<ExpressionPtr>>();
  made->variable.declaration = &made->declaration;
  made->variable.role = DataRole::record;
  made->variable.type_description = "int";
  return made;
}

}  // namespace

DataBlock describe_data_block(const StanProgram& program, const std::string& record_count,
                              Findings& findings) {
  return describe_data_block(program, std::vector{record_count}, findings);
}

DataBlock describe_data_block(const StanProgram& program,
                              const std::vector<std::string>& record_counts, Findings& findings) {
  DataBlock made;
  const ProgramBlock& block = program.block(BlockKind::data);
  for (const StatementPtr& statement : block.statements) {
    if (statement->kind != StatementKind::declaration) continue;
    made.variables.push_back(described(*statement->declaration, record_counts));
  }
  if (record_counts.size() > 1) {
    made.tables = record_counts;
    made.table_number = table_number();
  }
  for (const std::string& record_count : record_counts) {
    const DataBlockVariable* count = made.find(record_count);
    if (count == nullptr || !count->declaration->type().is_int()) {
      report_missing_count(program, record_count, findings);
      continue;
    }
    const auto other = made.tables.empty() ? other_record_count(program, record_count)
                                           : std::optional<std::string>();
    if (other) {
      findings.error(
          kModelRecords, count->declaration->spot,
          fmt::format("{} is not the first size of any data; {} is.", record_count, *other),
          fmt::format("Give --records {0} if it counts the records.", *other));
    }
    report_sizes(made, record_count, findings);
  }
  for (const BlockKind kind : {BlockKind::data, BlockKind::transformed_data, BlockKind::parameters,
                               BlockKind::transformed_parameters}) {
    for (const StatementPtr& statement : program.block(kind).statements) {
      if (statement->kind != StatementKind::declaration) continue;
      for (const StanExpression* size : all_sizes(*statement->declaration)) {
        for (DataBlockVariable& variable : made.variables) {
          const Declaration& declaration = *variable.declaration;
          if (declaration.type().is_int() && mentions(*size, declaration.name)) {
            variable.used_as_size = true;
          }
        }
      }
    }
  }
  return made;
}

}  // namespace dpvi
