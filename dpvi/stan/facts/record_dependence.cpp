#include <dpvi/stan/facts/record_dependence.hpp>

#include <algorithm>

namespace dpvi {
namespace {

bool asks_for_a_fact(const StanExpression& call) {
  return call.operands.size() == 1 &&
         (call.name == "mean" || call.name == "sd" || call.name == "variance" ||
          call.name == "min" || call.name == "max");
}

// The size of record data depends on their number only.
bool asks_for_a_size(const StanExpression& call) {
  return call.name == "size" || call.name == "num_elements" || call.name == "rows" ||
         call.name == "cols" || call.name == "dims";
}

}  // namespace

RecordDependence::RecordDependence(const StanProgram& program, const DataBlock& data,
                                   bool facts_are_public)
    : marks_(static_cast<std::size_t>(program.frame_size), 0),
      of_data_(static_cast<std::size_t>(program.frame_size), false),
      facts_are_public_(facts_are_public) {
  for (const DataBlockVariable& variable : data.variables) {
    of_data_[static_cast<std::size_t>(variable.declaration->slot)] = true;
    const int slot = variable.declaration->slot;
    switch (variable.role) {
      case DataRole::record:
      case DataRole::unit_index:
        mark(slot, kRecords);
        break;
      case DataRole::record_count:
      case DataRole::unit_count:
        mark(slot, kCount);
        break;
      case DataRole::known:
        break;
    }
  }
  do {
    changed_ = false;
    for (const BlockKind block :
         {BlockKind::transformed_data, BlockKind::parameters, BlockKind::transformed_parameters,
          BlockKind::generated_quantities}) {
      in_data_ = block == BlockKind::transformed_data;
      for (const StatementPtr& statement : program.block(block).statements) visit(*statement, 0);
    }
  } while (changed_);
}

void RecordDependence::mark(int slot, Marks marks) {
  Marks& held = marks_[static_cast<std::size_t>(slot)];
  changed_ = changed_ || (held | marks) != held;
  held = static_cast<Marks>(held | marks);
}

RecordDependence::Marks RecordDependence::marks_of(const StanExpression& expression) const {
  Marks marks = 0;
  if (expression.kind == ExpressionKind::variable) {
    marks = marks_[static_cast<std::size_t>(expression.slot)];
  }
  for (const ExpressionPtr& operand : expression.operands) {
    marks = static_cast<Marks>(marks | marks_of(*operand));
  }
  for (const StanIndex& index : expression.indices) {
    marks = static_cast<Marks>(marks | marks_of(index.low) | marks_of(index.high));
  }
  if (expression.kind == ExpressionKind::call) {
    const bool built_in = expression.function < 0;
    if (built_in && asks_for_a_size(expression) && (marks & kRecords) != 0) {
      marks = static_cast<Marks>((marks & ~kRecords) | kCount);
    }
    if (expression.name.ends_with("_rng")) marks = static_cast<Marks>(marks | kDraws);
    if (facts_are_public_ && built_in && asks_for_a_fact(expression) &&
        is_of_data(*expression.operands[0])) {
      marks = static_cast<Marks>(marks & ~(kRecords | kCount));
    }
  }
  return marks;
}

RecordDependence::Marks RecordDependence::marks_of_sizes(const Declaration& declaration) const {
  Marks marks = 0;
  for (const ExpressionPtr& size : *declaration.array_sizes) {
    marks = static_cast<Marks>(marks | marks_of(size));
  }
  for (const ExpressionPtr& size : declaration.declared->sizes) {
    marks = static_cast<Marks>(marks | marks_of(size));
  }
  for (const std::unique_ptr<Declaration>& component : declaration.declared->components) {
    marks = static_cast<Marks>(marks | marks_of_sizes(*component));
  }
  return marks;
}

bool RecordDependence::is_of_data(const StanExpression& expression) const {
  const auto slot = static_cast<std::size_t>(expression.slot);
  if (expression.kind == ExpressionKind::variable && !of_data_[slot]) {
    return (marks_[slot] & (kRecords | kCount)) == 0;
  }
  return std::all_of(expression.operands.begin(), expression.operands.end(),
                     [&](const ExpressionPtr& operand) { return is_of_data(*operand); });
}

void RecordDependence::visit(const StanStatement& statement, Marks around) {
  switch (statement.kind) {
    case StatementKind::declaration: {
      const Declaration& declaration = *statement.declaration;
      if (in_data_) of_data_[static_cast<std::size_t>(declaration.slot)] = true;
      return mark(declaration.slot, static_cast<Marks>(around | marks_of(declaration.initial) |
                                                       marks_of_sizes(declaration)));
    }
    case StatementKind::assignment: {
      const auto changed = assigned_variables(*statement.target);
      Marks marks =
          static_cast<Marks>(around | marks_of(statement.value) | marks_of(statement.target));
      // (a, b) = f(): if a is skipped, b gets no value either.
      for (const StanExpression* variable : changed) {
        marks = static_cast<Marks>(marks | marks_[static_cast<std::size_t>(variable->slot)]);
      }
      for (const StanExpression* variable : changed) mark(variable->slot, marks);
      return;
    }
    case StatementKind::for_range:
    case StatementKind::for_each:
    case StatementKind::while_loop:
      return visit_loop(statement, around);
    case StatementKind::break_loop:
    case StatementKind::continue_loop:
      jumps_ = static_cast<Marks>(jumps_ | around);
      return;
    case StatementKind::if_else:
      around = static_cast<Marks>(around | marks_of(statement.value));
      break;
    default:
      break;
  }
  for (const StatementPtr& child : statement.body) visit(*child, around);
}

void RecordDependence::visit_loop(const StanStatement& statement, Marks around) {
  around = static_cast<Marks>(around | marks_of(statement.lower) | marks_of(statement.upper) |
                              marks_of(statement.value));
  if (statement.slot >= 0) mark(statement.slot, around);
  const Marks outer = jumps_;
  jumps_ = 0;
  for (const StatementPtr& child : statement.body) visit(*child, around);
  if (jumps_ != 0) {
    const Marks left_early = static_cast<Marks>(around | jumps_);
    for (const StatementPtr& child : statement.body) visit(*child, left_early);
  }
  jumps_ = outer;
}

bool RecordDependence::can_be_left_out(const StanStatement& statement) const {
  const auto matters = [&](Marks marks) { return (marks & left_out_) != 0; };
  const auto marked = [&](int slot) { return matters(marks_[static_cast<std::size_t>(slot)]); };
  switch (statement.kind) {
    case StatementKind::declaration:
      return marked(statement.declaration->slot);
    case StatementKind::assignment: {
      const auto changed = assigned_variables(*statement.target);
      return std::any_of(changed.begin(), changed.end(),
                         [&](const StanExpression* variable) { return marked(variable->slot); });
    }
    case StatementKind::for_range:
    case StatementKind::for_each:
    case StatementKind::while_loop:
    case StatementKind::if_else:
      return matters(marks_of(statement.lower)) || matters(marks_of(statement.upper)) ||
             matters(marks_of(statement.value));
    case StatementKind::call:
      return matters(marks_of(statement.value));
    case StatementKind::print:
    case StatementKind::reject:
    case StatementKind::fatal_error:
      return true;
    default:
      return false;
  }
}

}  // namespace dpvi
