#include <limits>

#include <dpvi/stan/functions/density_calls.hpp>
#include <dpvi/stan/run/interpreter.hpp>
#include <dpvi/stan/value/operators.hpp>

// Statements of the form y ~ distribution(...) T[lower, upper];
namespace dpvi {

void Interpreter::execute_tilde(const StanStatement& statement) {
  std::vector<Value> arguments{evaluate(*statement.target)};
  for (const ExpressionPtr& argument : statement.arguments)
    arguments.push_back(evaluate(*argument));
  context_.spot = statement.spot;
  context_.function = statement.name;
  const DensityRow* row = statement.function >= 0 ? nullptr : find_density(statement.name);
  const bool mass = row != nullptr && row->discrete;
  NodeId term{};
  if (statement.function >= 0) {
    term = call_user(statement.function, arguments, statement.spot).flat(context_.builder);
  } else {
    term = density_of(statement, mass ? "_lpmf" : "_lpdf", arguments);
  }
  if (statement.truncated && (statement.lower || statement.upper)) {
    const bool noted = note_truncation(statement, term);
    if (!noted) term = context_.builder.add(term, truncation(statement, arguments));
  }
  add_term(term, statement.spot);
}

NodeId Interpreter::density_of(const StanStatement& statement, const char* suffix,
                               const std::vector<Value>& arguments) {
  if (statement.function < 0) {
    return density_sum(context_, *find_density(statement.name), suffix, arguments);
  }
  std::vector<StanType> types;
  for (const Value& argument : arguments) types.push_back(argument.type());
  CallProblem problem;
  const auto resolved = lookup_.resolve(statement.name + suffix, types, problem);
  if (!resolved) context_.fail(*problem.code, problem.message, problem.hint);
  return call_user(resolved->function, arguments, statement.spot).flat(context_.builder);
}

// If the term is the symbol of a density, adds the limits to its site. Returns false otherwise.
bool Interpreter::note_truncation(const StanStatement& statement, NodeId term) {
  DensitySites* densities = context_.densities;
  if (densities == nullptr || densities->sites.empty()) return false;
  const auto last = static_cast<std::int32_t>(densities->sites.size()) - 1;
  if (term != context_.builder.record_real(densities->first_column + last)) return false;
  DensitySite& site = densities->sites.back();
  if (statement.lower) site.lower = evaluate(*statement.lower);
  if (statement.upper) site.upper = evaluate(*statement.upper);
  return true;
}

// Minus the log probability of the truncation interval, summed over variates; -inf if a variate
// lies outside it.
NodeId Interpreter::truncation(const StanStatement& statement,
                               const std::vector<Value>& arguments) {
  GraphBuilder& builder = context_.builder;
  std::vector<Value> all = arguments;
  for (const StanExpression* limit : {statement.lower.get(), statement.upper.get()}) {
    all.push_back(limit == nullptr ? Value() : evaluate(*limit));
  }
  context_.spot = statement.spot;
  const std::int64_t count = arguments[0].is_scalar() ? 1 : arguments[0].size();
  NodeId total = constant(0.0);
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<Value> single;
    for (const Value& value : all) {
      const StanType scalar = value.type().base == StanBase::integer ? kIntType : kRealType;
      const bool vectorised = !value.type().is_error() && value.size() == count && count > 0;
      single.push_back(vectorised ? Value::scalar(scalar, value.entry(builder, i)) : value);
    }
    total = builder.add(total, truncation_of_one(statement, std::move(single)));
  }
  return total;
}

NodeId Interpreter::truncation_of_one(const StanStatement& statement,
                                      std::vector<Value> arguments) {
  GraphBuilder& builder = context_.builder;
  const Value upper = arguments.back();
  arguments.pop_back();
  const Value lower = arguments.back();
  arguments.pop_back();
  const Value variate = arguments[0];
  const bool discrete = variate.type().base == StanBase::integer;
  // P(Y >= lower) is 1 - P(Y <= lower - 1) for ints.
  const auto at_lower = [&](const char* suffix) {
    arguments[0] =
        discrete ? elementwise(context_, Op::sub, lower, Value::constant_int(builder, 1)) : lower;
    return density_of(statement, suffix, arguments);
  };
  const auto at_upper = [&](const char* suffix) {
    arguments[0] = upper;
    return density_of(statement, suffix, arguments);
  };
  NodeId log_probability{};
  NodeId outside = constant(0.0);
  if (statement.lower) {
    outside = builder.binary(Op::lt, variate.flat(builder), lower.flat(builder));
  }
  if (statement.upper) {
    const NodeId above = builder.binary(Op::lt, upper.flat(builder), variate.flat(builder));
    outside = either(outside, above);
  }
  if (statement.lower && statement.upper) {
    const NodeId high = at_upper("_lcdf");
    const NodeId low = at_lower("_lcdf");
    log_probability = builder.add(high, builder.unary(Op::log1m_exp, builder.sub(low, high)));
  } else {
    log_probability = statement.lower ? at_lower("_lccdf") : at_upper("_lcdf");
  }
  const NodeId never = constant(-std::numeric_limits<double>::infinity());
  return builder.select(outside, never, builder.neg(log_probability));
}

}  // namespace dpvi
