#include <limits>
#include <utility>

#include <fmt/format.h>

#include <dpvi/stan/functions/constrain_functions.hpp>
#include <dpvi/stan/functions/density_calls.hpp>
#include <dpvi/stan/functions/random_functions.hpp>
#include <dpvi/stan/run/interpreter.hpp>
#include <dpvi/stan/types/function_table.hpp>
#include <dpvi/stan/value/index_reading.hpp>
#include <dpvi/stan/value/operators.hpp>

namespace dpvi {
namespace {

// Promotes ints to reals if the surrounding expression is real.
Value promoted(const Value& value, StanType type) {
  if (value.is_tuple() && !(value.type() == type)) {
    const std::span<const StanType> wanted = tuple_parts(type);
    std::vector<Value> parts;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const int rank = wanted[i].array_rank + type.array_rank;
      parts.push_back(promoted(value.parts()[i], wanted[i].with_rank(rank)));
    }
    return Value::tuple(type, value.dims(), std::move(parts));
  }
  if (value.type() == type || value.type().base != StanBase::integer) return value;
  return value.with_type({type.base, value.type().array_rank}, value.dims());
}

}  // namespace

Value Interpreter::evaluate(const StanExpression& expression) {
  if (++depth_ > context_.limits.depth) {
    context_.spot = expression.spot;
    context_.fail(kModelTooLarge,
                  fmt::format("Calls or expressions are nested more than {} deep here.",
                              context_.limits.depth));
  }
  Value value = evaluate_kind(expression);
  --depth_;
  return value;
}

Value Interpreter::evaluate_kind(const StanExpression& expression) {
  switch (expression.kind) {
    case ExpressionKind::integer_literal:
      return Value::scalar(kIntType, constant(expression.number));
    case ExpressionKind::real_literal:
      return Value::scalar(kRealType, constant(expression.number));
    case ExpressionKind::variable: {
      const Value& value = slot(expression.slot);
      if (!value.type().is_error()) return value;
      context_.spot = expression.spot;
      context_.fail(
          fmt::format("'{}' has no value, because it could not be computed.", expression.name));
    }
    case ExpressionKind::call:
      return evaluate_call(expression);
    case ExpressionKind::index: {
      const Value base = evaluate(*expression.operands[0]);
      const std::vector<ResolvedIndex> indices = evaluate_indices(expression, base);
      context_.spot = expression.spot;
      require_inside(base, indices, expression.spot);
      return read_index(context_, base, indices);
    }
    case ExpressionKind::unary: {
      const Value operand = evaluate(*expression.operands[0]);
      context_.spot = expression.spot;
      return unary_value(context_, expression.op, operand);
    }
    case ExpressionKind::binary: {
      if (expression.op == Operator::logical_and || expression.op == Operator::logical_or) {
        return evaluate_logical(expression);
      }
      const Value left = evaluate(*expression.operands[0]);
      const Value right = evaluate(*expression.operands[1]);
      context_.spot = expression.spot;
      return binary_value(context_, expression.op, left, right);
    }
    case ExpressionKind::transpose: {
      const Value operand = evaluate(*expression.operands[0]);
      context_.spot = expression.spot;
      return transposed(context_, operand);
    }
    case ExpressionKind::conditional:
      return evaluate_conditional(expression);
    case ExpressionKind::array_literal:
      return evaluate_array(expression);
    case ExpressionKind::row_vector_literal:
      return evaluate_row_vector(expression);
    case ExpressionKind::tuple_literal:
      return evaluate_tuple(expression);
    case ExpressionKind::projection:
      return evaluate(*expression.operands[0])
          .parts()[static_cast<std::size_t>(expression.number) - 1];
    case ExpressionKind::target_value:
      break;
  }
  return evaluate_target();
}

// The right operand is not evaluated if a known left one decides, so that the left may guard an
// index.
Value Interpreter::evaluate_logical(const StanExpression& expression) {
  const bool conjunction = expression.op == Operator::logical_and;
  const Value left = evaluate(*expression.operands[0]);
  if (const double* known = left.known(context_.builder)) {
    if ((*known != 0) != conjunction) {
      return Value::constant_int(context_.builder, conjunction ? 0 : 1);
    }
  }
  const Value right =
      evaluate_where(*expression.operands[1], left.flat(context_.builder), conjunction);
  context_.spot = expression.spot;
  return binary_value(context_, expression.op, left, right);
}

Value Interpreter::evaluate_where(const StanExpression& expression, NodeId condition, bool holds) {
  const std::size_t before = state_.terms.size();
  std::set<NodeId> required = state_.required;
  Value value = evaluate(expression);
  for (std::size_t i = before; i < state_.terms.size(); ++i) {
    NodeId& term = state_.terms[i].node;
    term = holds ? context_.builder.select(condition, term, constant(0.0))
                 : context_.builder.select(condition, constant(0.0), term);
  }
  state_.required = std::move(required);
  return value;
}

void Interpreter::require_inside(const Value& base, std::span<const ResolvedIndex> indices,
                                 Spot spot) {
  GraphBuilder& builder = context_.builder;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const double size = static_cast<double>(base.dims()[i]);
    for (const NodeId position : indices[i].positions) {
      if (builder.is_constant(position)) continue;
      const auto range = context_.ranges.of(position);
      if (range && range->low >= 1 && range->high <= size) continue;
      const NodeId inside =
          builder.binary(Op::logical_and, builder.binary(Op::le, constant(1.0), position),
                         builder.binary(Op::le, position, constant(size)));
      const NodeId term =
          builder.select(inside, constant(0.0), constant(std::numeric_limits<double>::quiet_NaN()));
      if (state_.required.insert(term).second) add_term(term, spot);
    }
  }
}

Value Interpreter::evaluate_conditional(const StanExpression& expression) {
  const Value condition = evaluate(*expression.operands[0]);
  if (const double* known = condition.known(context_.builder)) {
    return promoted(evaluate(*expression.operands[*known != 0 ? 1 : 2]), expression.type);
  }
  const NodeId holds = condition.flat(context_.builder);
  const Value yes = promoted(evaluate_where(*expression.operands[1], holds, true), expression.type);
  const Value no = promoted(evaluate_where(*expression.operands[2], holds, false), expression.type);
  context_.spot = expression.spot;
  return blended(context_, holds, yes, no);
}

Value Interpreter::evaluate_tuple(const StanExpression& expression) {
  return Value::tuple(expression.type, {}, evaluate_all(expression.operands));
}

Value Interpreter::evaluate_array(const StanExpression& expression) {
  std::vector<Value> elements = evaluate_all(expression.operands);
  context_.spot = expression.spot;
  for (Value& element : elements) element = promoted(element, expression.type.element());
  return array_of(expression.type, elements);
}

Value Interpreter::array_of(StanType type, const std::vector<Value>& elements) {
  if (elements[0].is_tuple()) {
    const std::span<const StanType> inner = tuple_parts(type);
    std::vector<Value> parts;
    for (std::size_t i = 0; i < inner.size(); ++i) {
      std::vector<Value> members;
      for (const Value& element : elements) members.push_back(element.parts()[i]);
      parts.push_back(array_of(inner[i].with_rank(inner[i].array_rank + type.array_rank), members));
    }
    Dims outer{static_cast<std::int64_t>(elements.size())};
    for (std::size_t i = 0; i < elements[0].dims().count(); ++i) outer.push(elements[0].dims()[i]);
    return Value::tuple(type, outer, std::move(parts));
  }
  Dims dims{static_cast<std::int64_t>(elements.size())};
  const Dims& inner = elements[0].dims();
  for (std::size_t i = 0; i < inner.count(); ++i) dims.push(inner[i]);
  std::vector<NodeId> parts;
  for (const Value& element : elements) {
    if (!(element.dims() == inner)) {
      context_.fail(fmt::format("The elements of an array have sizes {} and {}.",
                                shape_text(elements[0]), shape_text(element)));
    }
    parts.push_back(element.flat(context_.builder));
  }
  context_.checked_size(dims.total());
  return Value(type, dims, context_.builder.pack(parts));
}

Value Interpreter::evaluate_row_vector(const StanExpression& expression) {
  const std::vector<Value> elements = evaluate_all(expression.operands);
  context_.spot = expression.spot;
  std::vector<NodeId> parts;
  for (const Value& element : elements) {
    if (element.size() != elements[0].size()) context_.fail("The rows of a matrix differ in size.");
    parts.push_back(element.flat(context_.builder));
  }
  const std::int64_t count = static_cast<std::int64_t>(elements.size());
  const NodeId node = context_.builder.pack(parts);
  if (expression.type == kRowVectorType) return Value(kRowVectorType, {count}, node);
  return transposed(context_, Value(kMatrixType, {elements[0].size(), count}, node));
}

std::vector<Value> Interpreter::evaluate_all(const std::vector<ExpressionPtr>& expressions) {
  std::vector<Value> values;
  values.reserve(expressions.size());
  for (const ExpressionPtr& expression : expressions) values.push_back(evaluate(*expression));
  return values;
}

std::vector<ResolvedIndex> Interpreter::evaluate_indices(const StanExpression& expression,
                                                         const Value& base) {
  std::vector<ResolvedIndex> list;
  for (std::size_t i = 0; i < expression.indices.size(); ++i) {
    const StanIndex& index = expression.indices[i];
    ResolvedIndex resolved;
    if (index.kind == IndexKind::all) {
      resolved.all = true;
      resolved.keeps_dimension = true;
    } else if (index.kind == IndexKind::single) {
      const Value at = evaluate(*index.low);
      resolved.keeps_dimension = at.type().is_array();
      resolved.positions = at.entries(context_.builder);
      resolved.trace = at.trace;
    } else {
      resolved = evaluate_range(index, base.dims()[i]);
    }
    list.push_back(std::move(resolved));
  }
  return list;
}

ResolvedIndex Interpreter::evaluate_range(const StanIndex& index, std::int64_t size) {
  ResolvedIndex resolved;
  resolved.keeps_dimension = true;
  std::int64_t low = 1;
  std::int64_t high = size;
  if (index.low) {
    const Value from = evaluate(*index.low);
    context_.spot = index.spot;
    low = context_.known_inside(from, "The start of a range", 1, static_cast<double>(size) + 1);
  }
  if (index.high) {
    const Value to = evaluate(*index.high);
    context_.spot = index.spot;
    high = context_.known_inside(to, "The end of a range", static_cast<double>(low) - 1,
                                 static_cast<double>(size));
    resolved.trace.counts_records = to.trace.counts_records;
  }
  context_.checked_size(std::max<std::int64_t>(high - low + 1, 0));
  for (std::int64_t at = low; at <= high; ++at) {
    resolved.positions.push_back(constant(static_cast<double>(at)));
  }
  return resolved;
}

Value Interpreter::evaluate_call(const StanExpression& expression) {
  std::vector<Value> arguments = evaluate_all(expression.operands);
  context_.spot = expression.spot;
  if (expression.over_slices) {
    const Value& sliced = arguments[0];
    const std::int64_t size = sliced.dims()[0];
    if (size == 0) return Value::constant_real(context_.builder, 0.0);
    Value end = Value::constant_int(context_.builder, size);
    end.trace.counts_records = sliced.trace.over_records;
    end.trace.growth = sliced.trace.over_records ? 1 : 0;
    arguments.insert(arguments.begin() + 1, {Value::constant_int(context_.builder, 1), end});
  }
  if (expression.function >= 0) {
    return call_user(expression.function, std::move(arguments), expression.spot);
  }
  context_.function = expression.name;
  context_.spend(1);
  if (const FunctionEntry* entry = find_function(expression.name)) {
    if (expression.name.ends_with("_jacobian")) {
      const ConstrainedValue made = constrained_value(context_, arguments);
      add_term(made.log_jacobian, expression.spot);
      return made.value;
    }
    return promoted(entry->row->run(context_, arguments), expression.type);
  }
  const DensityName density = split_density_name(expression.name);
  if (density.row != nullptr) {
    return Value::scalar(kRealType, density_sum(context_, *density.row, density.suffix, arguments));
  }
  const std::string_view name = expression.name;
  const DensityRow* drawn =
      name.ends_with("_rng") ? find_density(name.substr(0, name.size() - 4)) : nullptr;
  if (drawn != nullptr) return random_value(context_, *drawn, arguments, expression.type);
  context_.fail(kModelUnsupported, fmt::format("'{}' cannot be run here.", expression.name));
}

Value Interpreter::evaluate_target() {
  context_.spend(static_cast<std::int64_t>(state_.terms.size()));
  NodeId total = context_.builder.constant(0.0);
  for (const TargetTerm& term : state_.terms) total = context_.builder.add(total, term.node);
  return Value::scalar(kRealType, total);
}

Value Interpreter::call_user(int function, std::vector<Value> arguments, Spot spot) {
  const FunctionDefinition& definition = program_.functions[static_cast<std::size_t>(function)];
  State callee;
  callee.slots.resize(static_cast<std::size_t>(definition.frame_size));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    callee.slots[i] = promoted(arguments[i], definition.arguments[i].type);
  }
  callee.active = constant(1.0);
  callee.broken = callee.continued = constant(0.0);
  State caller = std::move(state_);
  state_ = std::move(callee);
  // `left_out_` refers to slots of the program's own frame.
  const Snapshot here = snapshot();
  left_out_ = nullptr;
  record_loop_ = false;
  record_loops_ = 0;
  context_.counting = false;
  try {
    execute(*definition.body);
  } catch (const InputError&) {
    state_ = std::move(caller);
    throw;
  }
  restore(here);
  callee = std::move(state_);
  state_ = std::move(caller);
  context_.spot = spot;
  for (const TargetTerm& term : callee.terms) add_term(term.node, term.spot);
  if (definition.result == kVoidType) return Value();
  if (!callee.returned) {
    context_.fail(fmt::format("'{}' ended without returning a value.", definition.name));
  }
  return promoted(*callee.returned, definition.result);
}

}  // namespace dpvi
