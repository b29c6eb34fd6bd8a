#include <dpvi/stan/facts/density_needs.hpp>

#include <algorithm>

namespace dpvi {
namespace {

// A jump affects the execution of every statement around it.
bool can_jump(const StanStatement& statement) {
  const bool jump = statement.kind == StatementKind::break_loop ||
                    statement.kind == StatementKind::continue_loop ||
                    statement.kind == StatementKind::return_value;
  return jump || std::any_of(statement.body.begin(), statement.body.end(),
                             [](const StatementPtr& child) { return can_jump(*child); });
}

}  // namespace

DensityNeeds::DensityNeeds(const StanProgram& program)
    : needed_(static_cast<std::size_t>(program.frame_size), false) {
  for (const BlockKind block :
       {BlockKind::parameters, BlockKind::transformed_parameters, BlockKind::model}) {
    for (const StatementPtr& statement : program.block(block).statements) read_all(*statement);
  }
  do {
    changed_ = false;
    for (const StatementPtr& statement : program.block(BlockKind::transformed_data).statements) {
      trace(*statement);
    }
  } while (changed_);
}

bool DensityNeeds::can_do_without(const StanStatement& statement) const {
  switch (statement.kind) {
    case StatementKind::declaration:
      return !needs(statement.declaration->slot);
    case StatementKind::assignment: {
      const auto changed = assigned_variables(*statement.target);
      return std::none_of(changed.begin(), changed.end(),
                          [&](const StanExpression* variable) { return needs(variable->slot); });
    }
    case StatementKind::call:
    case StatementKind::reject:
    case StatementKind::fatal_error:
      return false;
    default:
      return std::all_of(statement.body.begin(), statement.body.end(),
                         [&](const StatementPtr& child) { return can_do_without(*child); });
  }
}

void DensityNeeds::read(const ExpressionPtr& expression) {
  if (!expression) return;
  if (expression->kind == ExpressionKind::variable && !needs(expression->slot)) {
    needed_[static_cast<std::size_t>(expression->slot)] = true;
    changed_ = true;
  }
  for (const ExpressionPtr& operand : expression->operands) read(operand);
  for (const StanIndex& index : expression->indices) {
    read(index.low);
    read(index.high);
  }
}

void DensityNeeds::read(const Declaration& declaration) {
  const DeclaredType& type = *declaration.declared;
  for (const ExpressionPtr& size : *declaration.array_sizes) read(size);
  for (const ExpressionPtr& size : type.sizes) read(size);
  for (const std::unique_ptr<Declaration>& component : type.components) read(*component);
  for (const ExpressionPtr* rule : {&type.lower, &type.upper, &type.offset, &type.multiplier}) {
    read(*rule);
  }
  read(declaration.initial);
}

void DensityNeeds::read_all(const StanStatement& statement) {
  for (const ExpressionPtr* part :
       {&statement.target, &statement.value, &statement.lower, &statement.upper}) {
    read(*part);
  }
  for (const ExpressionPtr& argument : statement.arguments) read(argument);
  if (statement.declaration) read(*statement.declaration);
  for (const StatementPtr& child : statement.body) read_all(*child);
}

void DensityNeeds::trace(const StanStatement& statement) {
  if (can_do_without(statement)) return;
  if (statement.body.empty() || can_jump(statement)) return read_all(statement);
  for (const ExpressionPtr* part : {&statement.value, &statement.lower, &statement.upper}) {
    read(*part);
  }
  for (const StatementPtr& child : statement.body) trace(*child);
}

}  // namespace dpvi
