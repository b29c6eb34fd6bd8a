#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <dpvi/stan/run/interpreter.hpp>
#include <dpvi/stan/run/run_failure.hpp>
#include <dpvi/stan/value/index_writing.hpp>
#include <dpvi/stan/value/operators.hpp>
#include <dpvi/stan/value/record_count_rules.hpp>

namespace dpvi {

Interpreter::Interpreter(const StanProgram& program, const FunctionLookup& lookup,
                         CallContext& context)
    : program_(program), lookup_(lookup), context_(context) {
  state_.slots.resize(static_cast<std::size_t>(program.frame_size));
  state_.active = constant(1.0);
  state_.broken = state_.continued = constant(0.0);
}

bool Interpreter::is(NodeId mask, double value) const {
  const double* known = context_.builder.constant_value(mask);
  return known != nullptr && *known == value;
}

void Interpreter::execute(const StanStatement& statement) {
  context_.spot = statement.spot;
  context_.spend(1);
  if (is(state_.active, 0.0)) return;
  if (left_out_ != nullptr && left_out_->can_be_left_out(statement)) return;
  if (++depth_ > context_.limits.depth) {
    context_.fail(kModelTooLarge,
                  fmt::format("Statements and calls are nested more than {} deep here.",
                              context_.limits.depth));
  }
  execute_kind(statement);
  --depth_;
}

Interpreter::Snapshot Interpreter::snapshot() const {
  return {depth_, unknown_branches_, record_loop_, record_loops_, context_.counting, left_out_};
}

void Interpreter::restore(const Snapshot& snapshot) {
  depth_ = snapshot.depth;
  unknown_branches_ = snapshot.unknown_branches;
  record_loop_ = snapshot.record_loop;
  record_loops_ = snapshot.record_loops;
  context_.counting = snapshot.counting;
  left_out_ = snapshot.left_out;
}

std::string Interpreter::rollback_on_failure(const std::function<void()>& part) {
  context_.spend(static_cast<std::int64_t>(state_.slots.size()));
  const Snapshot here = snapshot();
  State before = state_;
  const std::optional<RunFailure> failure = run_failure(part);
  if (!failure) return {};
  if (failure->kind == RunFailureKind::too_large) throw failure->error;
  restore(here);
  state_ = std::move(before);
  return fmt::format("line {}: {}", failure->error.place().line, failure->error.message());
}

void Interpreter::forget_what_changes(const StanStatement& statement) {
  if (statement.kind == StatementKind::assignment) {
    for (const StanExpression* variable : assigned_variables(*statement.target)) {
      slot(variable->slot) = Value();
    }
  }
  for (const StatementPtr& child : statement.body) forget_what_changes(*child);
}

std::string Interpreter::try_execute(const StanStatement& statement) {
  std::string why = rollback_on_failure([&] { execute(statement); });
  if (!why.empty()) forget_what_changes(statement);
  return why;
}

std::optional<Value> Interpreter::try_evaluate(const StanExpression& expression) {
  std::optional<Value> value;
  rollback_on_failure([&] { value = evaluate(expression); });
  return value;
}

void Interpreter::execute_kind(const StanStatement& statement) {
  switch (statement.kind) {
    case StatementKind::declaration:
      return execute_declaration(*statement.declaration);
    case StatementKind::assignment:
      return execute_assignment(statement);
    case StatementKind::tilde:
      return execute_tilde(statement);
    case StatementKind::target_plus:
    case StatementKind::jacobian_plus: {
      const Value value = evaluate(*statement.value);
      context_.spot = statement.spot;
      return add_term(context_.builder.sum(value.flat(context_.builder)), statement.spot);
    }
    case StatementKind::call:
      evaluate(*statement.value);
      return;
    case StatementKind::if_else:
      return execute_if(statement);
    case StatementKind::for_range:
      return execute_range_loop(statement);
    case StatementKind::for_each:
      return execute_each_loop(statement);
    case StatementKind::while_loop:
      return execute_while(statement);
    case StatementKind::block:
    case StatementKind::profile:
      for (const StatementPtr& child : statement.body) execute(*child);
      return;
    case StatementKind::break_loop:
      if (record_loop_) refuse_leaving_records(context_);
      state_.broken = either(state_.broken, state_.active);
      state_.active = constant(0.0);
      return;
    case StatementKind::continue_loop:
      state_.continued = either(state_.continued, state_.active);
      state_.active = constant(0.0);
      return;
    case StatementKind::return_value:
      return execute_return(statement);
    case StatementKind::reject:
    case StatementKind::fatal_error:
      return execute_reject(statement);
    case StatementKind::print:
    case StatementKind::skip:
      return;
  }
}

Dims Interpreter::declared_dims(const Declaration& declaration) {
  Dims dims;
  const auto add = [&](const StanExpression& expression) {
    const Value size = evaluate(expression);
    context_.spot = expression.spot;
    const std::int64_t known =
        context_.known_inside(size, fmt::format("A size of '{}'", declaration.name), 0,
                              std::numeric_limits<double>::infinity());
    dims.push(context_.checked_size(known));
    context_.checked_size(dims.total());
  };
  for (const ExpressionPtr& size : *declaration.array_sizes) add(*size);
  for (const ExpressionPtr& size : declaration.declared->sizes) add(*size);
  const bool matrix = declaration.declared->base == StanBase::matrix;
  if (matrix && declaration.declared->sizes.size() == 1) add(*declaration.declared->sizes[0]);
  return dims;
}

Value Interpreter::undefined_value(const Declaration& declaration, const Dims& outer) {
  const Dims own = declared_dims(declaration);
  Dims dims = outer;
  if (outer.count() + own.count() > kMaxArrayRank + 2) {
    context_.fail(kModelTooLarge, fmt::format("An array of tuples has too many dimensions."));
  }
  for (std::size_t i = 0; i < own.count(); ++i) dims.push(own[i]);
  context_.checked_size(dims.total());
  const StanType type = declaration.type();
  const int rank = type.array_rank + static_cast<int>(outer.count());
  if (type.base != StanBase::tuple) {
    return Value::undefined(context_.builder, type.with_rank(rank), dims);
  }
  std::vector<Value> parts;
  for (const std::unique_ptr<Declaration>& component : declaration.declared->components) {
    parts.push_back(undefined_value(*component, dims));
  }
  return Value::tuple(type.with_rank(rank), dims, std::move(parts));
}

void Interpreter::execute_declaration(const Declaration& declaration) {
  Value value = undefined_value(declaration, {});
  const std::vector<ExpressionPtr>& leading =
      declaration.array_sizes->empty() ? declaration.declared->sizes : *declaration.array_sizes;
  const bool over_records = !leading.empty() && evaluate(*leading[0]).trace.counts_records;
  if (over_records) value.note_over_records();
  if (declaration.initial) {
    const Value initial = evaluate(*declaration.initial);
    context_.spot = declaration.initial->spot;
    write_index(context_, value, {}, initial, constant(1.0));
    value.trace.over_records = value.trace.over_records || over_records;
  }
  slot(declaration.slot) = std::move(value);
}

void Interpreter::execute_assignment(const StanStatement& statement) {
  Value value = evaluate(*statement.value);
  if (statement.op != Operator::none) {
    const Value old = evaluate(*statement.target);
    context_.spot = statement.spot;
    value = binary_value(context_, statement.op, old, value);
  }
  context_.spot = statement.spot;
  assign(*statement.target, value);
}

void Interpreter::assign(const StanExpression& target, const Value& value) {
  if (target.kind == ExpressionKind::tuple_literal) {
    for (std::size_t i = 0; i < target.operands.size(); ++i) {
      assign(*target.operands[i], value.parts()[i]);
    }
    return;
  }
  // If the variable could not be computed, neither its other entries nor its sizes are known.
  const StanExpression& changed = *assigned_variables(target).front();
  if (slot(changed.slot).type().is_error()) evaluate(changed);
  if (target.kind == ExpressionKind::projection) {
    const Value whole = evaluate(*target.operands[0]);
    context_.spot = target.spot;
    std::vector<Value> parts = whole.parts();
    write_index(context_, parts[static_cast<std::size_t>(target.number) - 1], {}, value,
                constant(1.0));
    return assign(*target.operands[0], Value::tuple(whole.type(), whole.dims(), std::move(parts)));
  }
  if (target.kind == ExpressionKind::variable) {
    return write_index(context_, slot(target.slot), {}, value, state_.active);
  }
  const StanExpression& base = *target.operands[0];
  if (base.kind == ExpressionKind::variable) {
    const std::vector<ResolvedIndex> indices = evaluate_indices(target, slot(base.slot));
    context_.spot = target.spot;
    require_inside(slot(base.slot), indices, target.spot);
    return write_index(context_, slot(base.slot), indices, value, state_.active);
  }
  Value part = evaluate(base);
  const std::vector<ResolvedIndex> indices = evaluate_indices(target, part);
  context_.spot = target.spot;
  require_inside(part, indices, target.spot);
  write_index(context_, part, indices, value, constant(1.0));
  assign(base, part);
}

NodeId Interpreter::either(NodeId a, NodeId b) {
  int questions = 64;
  return either(a, b, questions);
}

// Combines the mask of paths that left an iteration or a loop with that of the remaining ones.
// Masks split by the same condition are merged branch by branch, so that later statements run
// without a mask if possible.
NodeId Interpreter::either(NodeId a, NodeId b, int& questions) {
  if (a == b || is(a, 1.0) || is(b, 0.0)) return a;
  if (is(b, 1.0) || is(a, 0.0)) return b;
  GraphBuilder& builder = context_.builder;
  const Node& first = builder.graph()[a];
  const Node& second = builder.graph()[b];
  const bool split = first.op == Op::select && second.op == Op::select &&
                     first.arguments[0] == second.arguments[0];
  if (!split || --questions < 0) return builder.binary(Op::logical_or, a, b);
  const NodeId if_true = either(first.arguments[1], second.arguments[1], questions);
  const NodeId if_false = either(first.arguments[2], second.arguments[2], questions);
  return builder.select(first.arguments[0], if_true, if_false);
}

void Interpreter::add_term(NodeId node, Spot spot) {
  const NodeId masked =
      is(state_.active, 1.0) ? node : context_.builder.select(state_.active, node, constant(0.0));
  if (!is(masked, 0.0)) state_.terms.push_back({masked, spot});
}

// Merges the terms of the two branches into one, or into one per statement that added terms.
void Interpreter::add_blended_terms(NodeId condition, const State& yes, const State& no,
                                    Spot spot) {
  GraphBuilder& builder = context_.builder;
  const NodeId zero = constant(0.0);
  const auto key = [&](const TargetTerm& term) { return statements_apart_ ? term.spot : spot; };
  std::vector<Spot> order;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<NodeId, NodeId>> sums;
  for (const State* branch : {&yes, &no}) {
    for (const TargetTerm& term : branch->terms) {
      const Spot at = key(term);
      const auto [entry, added] = sums.try_emplace({at.line, at.column}, zero, zero);
      if (added) order.push_back(at);
      NodeId& sum = branch == &yes ? entry->second.first : entry->second.second;
      sum = builder.add(sum, term.node);
    }
  }
  for (const Spot at : order) {
    const auto& [if_yes, if_no] = sums.at({at.line, at.column});
    state_.terms.push_back({builder.select(condition, if_yes, if_no), at});
  }
}

namespace {

bool does_nothing(const StanStatement& statement) {
  switch (statement.kind) {
    case StatementKind::print:
    case StatementKind::skip:
      return true;
    case StatementKind::block:
    case StatementKind::if_else:
      return std::all_of(statement.body.begin(), statement.body.end(),
                         [](const StatementPtr& child) { return does_nothing(*child); });
    default:
      return false;
  }
}

}  // namespace

void Interpreter::execute_if(const StanStatement& statement) {
  if (does_nothing(statement)) return;
  const Value condition = evaluate(*statement.value);
  const double* known = condition.known(context_.builder);
  if (known == nullptr) {
    execute_both(condition.flat(context_.builder), *statement.body[0],
                 statement.body.size() > 1 ? statement.body[1].get() : nullptr, statement.spot);
    return;
  }
  if (std::isnan(*known)) {
    context_.spot = statement.spot;
    context_.fail("The condition has no value yet.");
  }
  if (*known != 0) {
    execute(*statement.body[0]);
  } else if (statement.body.size() > 1) {
    execute(*statement.body[1]);
  }
}

// If the branch fails, only the records that take it fail: they contribute NaN, and execution
// continues. Returns true if the branch runs.
bool Interpreter::runs_branch(const StanStatement& branch, const State& before) {
  const Snapshot here = snapshot();
  if (runs([&] { execute(branch); })) return true;
  restore(here);
  state_ = before;
  add_term(constant(std::numeric_limits<double>::quiet_NaN()), branch.spot);
  if (!past_failures_) state_.active = constant(0.0);
  return false;
}

bool Interpreter::execute_both(NodeId condition, const StanStatement& yes, const StanStatement* no,
                               Spot spot) {
  context_.spend(static_cast<std::int64_t>(state_.slots.size()));
  std::vector<TargetTerm> terms = std::exchange(state_.terms, {});
  const State before = state_;
  ++unknown_branches_;
  const bool yes_runs = runs_branch(yes, before);
  State after_yes = std::exchange(state_, before);
  if (no != nullptr) {
    // If both fail, the program fails.
    if (yes_runs) {
      runs_branch(*no, before);
    } else {
      execute(*no);
    }
  }
  State after_no = std::exchange(state_, before);
  --unknown_branches_;
  state_.terms = std::move(terms);
  merge(condition, after_yes, after_no, before, spot);
  return yes_runs;
}

void Interpreter::merge(NodeId condition, State& yes, State& no, const State& before, Spot spot) {
  GraphBuilder& builder = context_.builder;
  context_.spot = spot;
  // A branch that always returns does not affect later statements.
  const auto gone = [&](const State& branch) {
    return is(branch.active, 0.0) && branch.broken == before.broken &&
           branch.continued == before.continued;
  };
  for (std::size_t i = 0; i < state_.slots.size(); ++i) {
    if (gone(no)) {
      state_.slots[i] = std::move(yes.slots[i]);
    } else if (gone(yes)) {
      state_.slots[i] = std::move(no.slots[i]);
    } else if (yes.slots[i].type().is_error() || no.slots[i].type().is_error()) {
      // A variable declared in only one branch is out of scope afterwards.
    } else if (yes.slots[i].shares_nodes(no.slots[i])) {
      state_.slots[i] = std::move(yes.slots[i]);
    } else if (same_shape(yes.slots[i], no.slots[i])) {
      state_.slots[i] = blended(context_, condition, yes.slots[i], no.slots[i]);
    }
  }
  const auto joined = [&](NodeId a, NodeId b) { return builder.select(condition, a, b); };
  state_.active = joined(yes.active, no.active);
  state_.broken = joined(yes.broken, no.broken);
  state_.continued = joined(yes.continued, no.continued);
  if (yes.returned && no.returned) {
    state_.returned = blended(context_, condition, *yes.returned, *no.returned);
  } else {
    state_.returned = yes.returned ? yes.returned : no.returned;
  }
  add_blended_terms(condition, yes, no, spot);
}

// True if the returned value makes the density zero or undefined, whatever the other records
// contribute.
bool Interpreter::ends_everything(const Value& value) const {
  const double* known = value.known(context_.builder);
  return known != nullptr &&
         (std::isnan(*known) || *known == -std::numeric_limits<double>::infinity());
}

void Interpreter::execute_return(const StanStatement& statement) {
  if (statement.value) {
    const Value value = evaluate(*statement.value);
    context_.spot = statement.spot;
    if (record_loops_ > 0 && !ends_everything(value)) refuse_leaving_records(context_);
    state_.returned =
        state_.returned ? blended(context_, state_.active, value, *state_.returned) : value;
  }
  state_.active = constant(0.0);
}

void Interpreter::execute_reject(const StanStatement& statement) {
  if (unknown_branches_ == 0 && is(state_.active, 1.0)) {
    context_.spot = statement.spot;
    context_.fail("The program calls reject() here.");
  }
  add_term(constant(std::numeric_limits<double>::quiet_NaN()), statement.spot);
}

}  // namespace dpvi
