#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <dpvi/stan/run/interpreter.hpp>
#include <dpvi/stan/value/record_count_rules.hpp>

namespace dpvi {
namespace {

// For loops whose bounds depend on a record and have no declared limit.
constexpr std::int64_t kMaxOpenIterations = 4096;
constexpr std::int64_t kRoundsTried = 8;

bool mentions(const StanExpression* expression, int slot) {
  if (expression == nullptr) return false;
  if (expression->kind == ExpressionKind::variable) return expression->slot == slot;
  const auto in_index = [&](const StanIndex& index) {
    return mentions(index.low.get(), slot) || mentions(index.high.get(), slot);
  };
  const auto in_operand = [&](const ExpressionPtr& operand) {
    return mentions(operand.get(), slot);
  };
  return std::ranges::any_of(expression->operands, in_operand) ||
         std::ranges::any_of(expression->indices, in_index);
}

bool mentions(const StanStatement& statement, int slot) {
  const auto in_part = [&](const ExpressionPtr& part) { return mentions(part.get(), slot); };
  if (statement.declaration && mentions(statement.declaration->initial.get(), slot)) return true;
  return in_part(statement.target) || in_part(statement.value) || in_part(statement.lower) ||
         in_part(statement.upper) || std::ranges::any_of(statement.arguments, in_part) ||
         std::ranges::any_of(statement.body,
                             [&](const StatementPtr& child) { return mentions(*child, slot); });
}

}  // namespace

Interpreter::OuterLoop Interpreter::enter_loop(bool over_records) {
  return {std::exchange(state_.broken, constant(0.0)),
          std::exchange(state_.continued, constant(0.0)), std::exchange(record_loop_, over_records),
          std::exchange(record_loops_, record_loops_ + (over_records ? 1 : 0))};
}

void Interpreter::leave_loop(const OuterLoop& outer) {
  state_.active = either(state_.active, state_.broken);
  state_.broken = outer.broken;
  state_.continued = outer.continued;
  record_loop_ = outer.record_loop;
  record_loops_ = outer.record_loops;
}

Interpreter::Iteration Interpreter::run_iteration(const StanStatement& body, NodeId counts) {
  const NodeId active = state_.active;
  bool runs = true;
  if (is(counts, 1.0)) {
    execute(body);
  } else {
    runs = execute_both(counts, body, nullptr, body.spot);
  }
  state_.active = either(state_.active, state_.continued);
  state_.continued = constant(0.0);
  // No record ends the iterations of the others. The mask from before the iteration is equivalent
  // and simpler.
  if (past_failures_ && record_loop_) state_.active = active;
  if (is(state_.active, 0.0)) return Iteration::last;
  return runs ? Iteration::more : Iteration::failed;
}

// True if a loop bound depends on a record and no declaration limits it. The loop still ends if an
// iteration must fail, e.g. because its number is out of range for a container. Records that reach
// that iteration contribute NaN, since Stan would throw.
bool Interpreter::is_open(const Value& end, bool above) {
  const NodeId node = end.flat(context_.builder);
  if (context_.builder.space(node) != Space::data) return false;
  const auto range = context_.ranges.of(node);
  return !range || std::isinf(above ? range->high : range->low);
}

// True if the iteration fails for every record that reaches it. Leaves the state unchanged.
bool Interpreter::iteration_fails(const StanStatement& statement, std::int64_t at) {
  const State before = state_;
  slot(statement.slot) = Value::constant_int(context_.builder, at);
  ++unknown_branches_;
  const bool runs = runs_branch(*statement.body[0], before);
  --unknown_branches_;
  state_ = before;
  return !runs;
}

// The first iteration of a loop with an open start: the highest one, at or below 0, that fails.
std::int64_t Interpreter::failing_start(const StanStatement& statement, const Value& low) {
  for (std::int64_t at = 0; at >= -kRoundsTried; --at) {
    if (iteration_fails(statement, at)) return at;
  }
  context_.spot = statement.spot;
  return context_.known_int(low, "The start of a loop");
}

// True once iterations fail and will keep failing, so that no further record can succeed.
bool Interpreter::all_have_failed(const StanStatement& statement, const Value& low, std::int64_t at,
                                  bool any_ran) {
  if (!is_open(low, true)) return at >= context_.largest(low, "The start of a loop");
  if (!any_ran) return false;
  for (std::int64_t next = at + 1; next <= at + kRoundsTried; ++next) {
    if (!iteration_fails(statement, next)) return false;
  }
  return true;
}

// Records whose iterations all lie before or after those that can run also fail.
void Interpreter::fail_outside(const Value& low, const Value& high, std::int64_t first,
                               std::int64_t last, Spot spot) {
  GraphBuilder& builder = context_.builder;
  const NodeId from = low.flat(builder), to = high.flat(builder);
  const NodeId before = builder.binary(Op::lt, to, constant(static_cast<double>(first)));
  const NodeId behind = builder.binary(Op::lt, constant(static_cast<double>(last)), from);
  const NodeId outside = builder.binary(Op::logical_or, before, behind);
  const NodeId any = builder.binary(Op::le, from, to);
  const NodeId nothing = constant(std::numeric_limits<double>::quiet_NaN());
  add_term(builder.select(builder.binary(Op::logical_and, any, outside), nothing, constant(0.0)),
           spot);
}

void Interpreter::execute_range_loop(const StanStatement& statement) {
  const Value low = evaluate(*statement.lower);
  const Value high = evaluate(*statement.upper);
  context_.spot = statement.spot;
  check_loop_ends(context_, low, high);
  const bool uses_number = mentions(*statement.body[0], statement.slot);
  const bool open_below = uses_number && is_open(low, false);
  const bool open_above = uses_number && is_open(high, true);
  const bool over_records = high.trace.counts_records;
  const OuterLoop outer = enter_loop(over_records);
  const std::int64_t from =
      open_below ? failing_start(statement, low) : context_.smallest(low, "The start of a loop");
  const std::int64_t to =
      open_above ? from + kMaxOpenIterations : context_.largest(high, "The end of a loop");
  GraphBuilder& builder = context_.builder;
  bool any_ran = false;
  std::int64_t i = from;
  for (; i <= to; ++i) {
    context_.spot = statement.spot;
    context_.spend(1);
    if (open_above && i == to) context_.known_int(high, "The end of a loop");
    Value at = Value::constant_int(builder, i);
    at.trace.position = over_records;
    slot(statement.slot) = at;
    // If the bounds depend on a record, only the iterations between them count.
    const NodeId begun = builder.binary(Op::le, low.flat(builder), at.flat(builder));
    const NodeId unfinished = builder.binary(Op::le, at.flat(builder), high.flat(builder));
    const NodeId counts = builder.binary(Op::logical_and, begun, unfinished);
    const Iteration round = run_iteration(*statement.body[0], counts);
    if (round == Iteration::last) break;
    any_ran = any_ran || round == Iteration::more;
    if (round == Iteration::failed && open_above && all_have_failed(statement, low, i, any_ran))
      break;
  }
  if (open_below || open_above) fail_outside(low, high, from, i, statement.spot);
  leave_loop(outer);
}

void Interpreter::execute_each_loop(const StanStatement& statement) {
  const Value container = evaluate(*statement.value);
  const bool array = container.type().is_array();
  const std::int64_t count = array ? container.dims()[0] : container.size();
  const OuterLoop outer = enter_loop(container.trace.over_records);
  for (std::int64_t i = 0; i < count; ++i) {
    context_.spot = statement.spot;
    context_.spend(1);
    slot(statement.slot) = array ? container.array_element(context_.builder, i)
                                 : Value::scalar(kRealType, container.entry(context_.builder, i));
    if (run_iteration(*statement.body[0], constant(1.0)) == Iteration::last) break;
  }
  leave_loop(outer);
}

void Interpreter::execute_while(const StanStatement& statement) {
  const OuterLoop outer = enter_loop(false);
  while (true) {
    const bool counting = std::exchange(context_.counting, true);
    const Value condition = evaluate(*statement.value);
    context_.counting = counting;
    record_loop_ = record_loop_ || condition.trace.counts_records;
    context_.spot = statement.spot;
    context_.spend(1);
    if (context_.known_int(condition, "The condition of a while loop") == 0) break;
    if (run_iteration(*statement.body[0], constant(1.0)) == Iteration::last) break;
  }
  leave_loop(outer);
}

}  // namespace dpvi
