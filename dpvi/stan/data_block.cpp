#include <dpvi/stan/data_block.hpp>

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include <dpvi/stan/expression_text.hpp>

namespace dpvi {
namespace {

// Calls `visit` for the expression and all below it.
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

// Array sizes first, then the vector's or matrix's.
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

DataBlockVariable described(const Declaration& declaration, const std::string& record_count,
                            Findings& findings) {
  DataBlockVariable made;
  made.declaration = &declaration;
  made.type_words = type_words(declaration);
  std::vector<const StanExpression*> sizes = all_sizes(declaration);
  if (declaration.name == record_count && sizes.empty()) made.role = DataRole::record_count;
  if (!sizes.empty() && sizes[0]->kind == ExpressionKind::variable &&
      sizes[0]->name == record_count) {
    made.role = DataRole::record;
    sizes.erase(sizes.begin());
  }
  bool reported = false;
  for (const StanExpression* size : sizes) {
    if (!reported && mentions(*size, record_count)) {
      reported = true;
      findings.error(
          kModelRecords, size->spot,
          fmt::format("'{}' is sized by the record count {} other than by leading with it.",
                      declaration.name, record_count),
          "Record data have the record count as their first size and nowhere else; write one value "
          "or row per record.");
    }
    made.sizes.push_back(stated(*size));
  }
  if (declaration.declared->lower) made.lower = stated(*declaration.declared->lower);
  if (declaration.declared->upper) made.upper = stated(*declaration.declared->upper);
  return made;
}

// The int scalars of the data block that lead other data variables: what might count records.
std::vector<std::string> possible_counts(const ProgramBlock& block) {
  std::vector<std::string> names;
  for (const StatementPtr& statement : block.statements) {
    if (statement->kind != StatementKind::declaration) continue;
    const auto sizes = all_sizes(*statement->declaration);
    if (sizes.empty() || sizes[0]->kind != ExpressionKind::variable) continue;
    if (std::find(names.begin(), names.end(), sizes[0]->name) == names.end()) {
      names.push_back(sizes[0]->name);
    }
  }
  return names;
}

void report_missing_count(const ProgramBlock& block, const std::string& record_count,
                          Findings& findings) {
  const std::vector<std::string> counts = possible_counts(block);
  std::string list;
  for (const std::string& name : counts) list += (list.empty() ? "" : ", ") + name;
  std::string hint =
      "No data has a size of that kind, so nothing says what a record is. Give the observations as "
      "a table of one row each: 'int<lower=0> N; array[N] int<lower=0, upper=1> y;'.";
  if (counts.size() == 1) hint = fmt::format("Say --records {} if that counts the records.", list);
  if (counts.size() > 1) {
    hint = fmt::format(
        "Say --records NAME with the one of {} that counts the records. If several do, rewrite "
        "them as one table with one count and an indicator column (e.g. event = 0 or 1).",
        list);
  }
  findings.error(
      kModelRecords, block.spot,
      fmt::format("The data block declares no int '{}', the record count.", record_count), hint);
}

}  // namespace

const DataBlockVariable* DataBlock::find(std::string_view name) const {
  const auto found = std::find_if(
      variables.begin(), variables.end(),
      [&](const DataBlockVariable& variable) { return variable.declaration->name == name; });
  return found == variables.end() ? nullptr : &*found;
}

DataBlock describe_data_block(const StanProgram& program, const std::string& record_count,
                              Findings& findings) {
  DataBlock made;
  const ProgramBlock& block = program.block(BlockKind::data);
  for (const StatementPtr& statement : block.statements) {
    if (statement->kind != StatementKind::declaration) continue;
    made.variables.push_back(described(*statement->declaration, record_count, findings));
  }
  const DataBlockVariable* count = made.find(record_count);
  if (count == nullptr || !count->declaration->type().is_int()) {
    report_missing_count(block, record_count, findings);
  }
  for (const BlockKind kind : {BlockKind::data, BlockKind::transformed_data, BlockKind::parameters,
                               BlockKind::transformed_parameters}) {
    for (const StatementPtr& statement : program.block(kind).statements) {
      if (statement->kind != StatementKind::declaration) continue;
      for (const StanExpression* size : all_sizes(*statement->declaration)) {
        for (DataBlockVariable& variable : made.variables) {
          const Declaration& declaration = *variable.declaration;
          if (declaration.type().is_int() && mentions(*size, declaration.name)) {
            variable.serves_as_size = true;
          }
        }
      }
    }
  }
  return made;
}

}  // namespace dpvi
