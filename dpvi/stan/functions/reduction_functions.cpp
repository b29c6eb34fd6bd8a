#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <dpvi/stan/types/function_table.hpp>
#include <dpvi/stan/value/operators.hpp>

// Functions that reduce a container to one number or to a vector of the same length.
namespace dpvi {
namespace {

using Arguments = std::span<const Value>;

enum class Fact { mean, sd, lower, upper };

const char* fact_name(Fact fact) {
  static constexpr const char* kNames[] = {"mean", "sd", "lower", "upper"};
  return kNames[static_cast<int>(fact)];
}

constexpr std::optional<double> ColumnFacts::*kMembers[] = {
    &ColumnFacts::mean, &ColumnFacts::sd, &ColumnFacts::lower, &ColumnFacts::upper};

// A fact computed from public records, in an earlier run or in this one.
std::optional<double> computed_fact(CallContext& context, const Value& column, Fact fact) {
  const FactCall call = context.next_fact_call();
  if (context.computes != nullptr) {
    const NodeId node = column.flat(context.builder);
    if (!context.builder.is_constant(node)) return std::nullopt;
    const ColumnFacts facts = facts_of(context.builder.graph()[node].values);
    const std::optional<double> value = facts.*kMembers[static_cast<int>(fact)];
    if (value) (*context.computes)[call] = *value;
    return value;
  }
  if (context.computed == nullptr) return std::nullopt;
  const auto found = context.computed->find(call);
  return found == context.computed->end() ? std::nullopt : std::optional(found->second);
}

// A declared fact about a column of record data replaces one computed from the records.
Value declared_fact(CallContext& context, const Value& column, Fact fact) {
  const RecordTrace& trace = column.trace;
  const bool one_column = column.dims().from(1).total() == 1;
  if (trace.variable < 0 || !one_column) {
    if (const auto known = computed_fact(context, column, fact)) {
      return Value::constant_real(context.builder, *known);
    }
    context.fail(
        kModelFact,
        fmt::format("{}(...) over records cannot be computed from one record.", context.function),
        one_column ? "Give the value as public data."
                   : "Ask for one column at a time, or give the value as public data.");
  }
  const std::string& variable = (*context.variable_names)[static_cast<std::size_t>(trace.variable)];
  const std::size_t at = static_cast<std::size_t>(trace.column);
  const ColumnFacts* facts = nullptr;
  if (context.facts != nullptr) {
    const auto found = context.facts->find(variable);
    if (found != context.facts->end() && at < found->second.size()) facts = &found->second[at];
  }
  const std::optional<double> value =
      facts == nullptr ? std::nullopt : facts->*kMembers[static_cast<int>(fact)];
  if (!value) {
    context.fail(kModelFact,
                 fmt::format("{}({}) over records needs the declared {} of column {} of '{}'.",
                             context.function, variable, fact_name(fact), at + 1, variable),
                 fmt::format("Add '{} = ...' to its column in the schema, or give the value as "
                             "public data.",
                             fact_name(fact)));
  }
  return Value::constant_real(context.builder, *value);
}

void require_entries(const CallContext& context, const Value& value) {
  if (value.size() == 0)
    context.fail(fmt::format("{} needs at least one entry.", context.function));
}

Value reduced(CallContext& context, Op op, const Value& value) {
  context.spend(value.size() / 8 + 1);
  return Value::scalar(kRealType, context.builder.reduce(op, value.flat(context.builder)));
}

StanType scalar_like(const Value& value) {
  return value.type().base == StanBase::integer ? kIntType : kRealType;
}

Value sum(CallContext& context, Arguments arguments) {
  return reduced(context, Op::sum, arguments[0]).with_type(scalar_like(arguments[0]), Dims());
}

Value product(CallContext& context, Arguments arguments) {
  return reduced(context, Op::prod, arguments[0]).with_type(scalar_like(arguments[0]), Dims());
}

Value log_sum_exp(CallContext& context, Arguments arguments) {
  if (arguments.size() == 1) return reduced(context, Op::log_sum_exp, arguments[0]);
  GraphBuilder& builder = context.builder;
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  if (!a.is_scalar() && !b.is_scalar() && !(a.dims() == b.dims())) {
    context.fail("log_sum_exp: the arguments have different sizes.");
  }
  const Value& wider = a.is_scalar() ? b : a;
  std::vector<NodeId> entries;
  for (std::int64_t i = 0; i < wider.size(); ++i) {
    context.spend(1);
    const NodeId pair[] = {a.entry(builder, a.is_scalar() ? 0 : i),
                           b.entry(builder, b.is_scalar() ? 0 : i)};
    entries.push_back(builder.log_sum_exp(builder.pack(pair)));
  }
  if (wider.is_scalar()) return Value::scalar(kRealType, entries[0]);
  return Value(wider.type(), wider.dims(), std::move(entries));
}

template <Op kOp, Fact kFact>
Value extreme(CallContext& context, Arguments arguments) {
  const Value& value = arguments[0];
  const bool minimum = kOp == Op::min_of;
  if (arguments.size() == 2) {
    return elementwise(context, minimum ? Op::min : Op::max, value, arguments[1]);
  }
  if (value.trace.over_records) {
    return declared_fact(context, value, kFact).with_type(scalar_like(value), Dims());
  }
  if (value.size() == 0) {
    if (scalar_like(value) == kIntType) require_entries(context, value);
    const double infinity = std::numeric_limits<double>::infinity();
    return Value::constant_real(context.builder, minimum ? infinity : -infinity);
  }
  return reduced(context, kOp, value).with_type(scalar_like(value), Dims());
}

Value mean(CallContext& context, Arguments arguments) {
  const Value& value = arguments[0];
  if (value.trace.over_records) return declared_fact(context, value, Fact::mean);
  require_entries(context, value);
  return elementwise(context, Op::div, reduced(context, Op::sum, value),
                     Value::constant_real(context.builder, static_cast<double>(value.size())));
}

Value variance(CallContext& context, Arguments arguments) {
  const Value& value = arguments[0];
  if (value.trace.over_records) {
    return elementwise(context, Op::square, declared_fact(context, value, Fact::sd));
  }
  require_entries(context, value);
  if (value.size() == 1) return Value::constant_real(context.builder, 0.0);
  const Value centred = elementwise(context, Op::sub, value, mean(context, arguments));
  const Value squares = reduced(context, Op::sum, elementwise(context, Op::square, centred));
  return elementwise(context, Op::div, squares,
                     Value::constant_real(context.builder, static_cast<double>(value.size() - 1)));
}

Value sd(CallContext& context, Arguments arguments) {
  if (arguments[0].trace.over_records) return declared_fact(context, arguments[0], Fact::sd);
  return elementwise(context, Op::sqrt, variance(context, arguments));
}

void require_same_size(const CallContext& context, const Value& a, const Value& b) {
  if (a.size() == b.size()) return;
  context.fail(fmt::format("{}: the arguments have {} and {} entries.", context.function, a.size(),
                           b.size()));
}

Value dot_product(CallContext& context, Arguments arguments) {
  require_same_size(context, arguments[0], arguments[1]);
  context.spend(arguments[0].size() / 8 + 1);
  GraphBuilder& builder = context.builder;
  if (arguments[0].size() == 0) return Value::constant_real(builder, 0.0);
  return Value::scalar(kRealType,
                       builder.dot(arguments[0].flat(builder), arguments[1].flat(builder)));
}

Value dot_self(CallContext& context, Arguments arguments) {
  const Value both[] = {arguments[0], arguments[0]};
  return dot_product(context, both);
}

Value squared_distance(CallContext& context, Arguments arguments) {
  require_same_size(context, arguments[0], arguments[1]);
  context.spend(arguments[0].size() / 8 + 1);
  GraphBuilder& builder = context.builder;
  if (arguments[0].size() == 0) return Value::constant_real(builder, 0.0);
  return Value::scalar(
      kRealType, builder.squared_distance(arguments[0].flat(builder), arguments[1].flat(builder)));
}

Value distance(CallContext& context, Arguments arguments) {
  return elementwise(context, Op::sqrt, squared_distance(context, arguments));
}

Value norm1(CallContext& context, Arguments arguments) {
  return reduced(context, Op::sum, elementwise(context, Op::fabs, arguments[0]));
}

Value norm2(CallContext& context, Arguments arguments) {
  return elementwise(context, Op::sqrt, dot_self(context, arguments));
}

Value log_softmax(CallContext& context, Arguments arguments) {
  require_entries(context, arguments[0]);
  return elementwise(context, Op::sub, arguments[0], log_sum_exp(context, arguments));
}

Value softmax(CallContext& context, Arguments arguments) {
  return elementwise(context, Op::exp, log_softmax(context, arguments));
}

Value cumulative_sum(CallContext& context, Arguments arguments) {
  GraphBuilder& builder = context.builder;
  const Value& value = arguments[0];
  std::vector<NodeId> entries;
  for (std::int64_t i = 0; i < value.size(); ++i) {
    context.spend(1);
    const NodeId next = value.entry(builder, i);
    entries.push_back(entries.empty() ? next : builder.add(entries.back(), next));
  }
  return Value(value.type(), value.dims(), std::move(entries));
}

// log_mix(p, a, b) and log_mix(weights, terms).
Value log_mix(CallContext& context, Arguments arguments) {
  const Value& weight = arguments[0];
  if (arguments.size() == 3) {
    const Value parts[] = {
        elementwise(context, Op::add, elementwise(context, Op::log, weight), arguments[1]),
        elementwise(context, Op::add, elementwise(context, Op::log1m, weight), arguments[2])};
    return log_sum_exp(context, parts);
  }
  const Value logs = elementwise(context, Op::log, weight);
  const auto mixed = [&](const Value& terms) {
    require_same_size(context, weight, terms);
    const Value flat = terms.with_type(logs.type(), logs.dims());
    return reduced(context, Op::log_sum_exp, elementwise(context, Op::add, logs, flat));
  };
  const Value& terms = arguments[1];
  if (!(terms.type().is_array() && terms.type().base != StanBase::real)) return mixed(terms);
  Value total = Value::constant_real(context.builder, 0.0);
  for (std::int64_t i = 0; i < terms.dims()[0]; ++i) {
    total = elementwise(context, Op::add, total, mixed(terms.array_element(context.builder, i)));
  }
  return total;
}

constexpr std::string_view kOfReals =
    "vector -> real;row_vector -> real;matrix -> real;real[] -> real";
constexpr std::string_view kPair =
    "vector vector -> real;vector row_vector -> real;row_vector vector -> real;"
    "row_vector row_vector -> real;real[] real[] -> real";

constexpr FunctionRow kRows[] = {
    {"sum", "int[] -> int;vector -> real;row_vector -> real;matrix -> real;real[] -> real", sum},
    {"prod", "int[] -> int;vector -> real;row_vector -> real;matrix -> real;real[] -> real",
     product},
    {"mean", kOfReals, mean},
    {"variance", kOfReals, variance},
    {"sd", kOfReals, sd},
    {"min",
     "int[] -> int;int int -> int;vector -> real;row_vector -> real;matrix -> real;real[] -> real",
     extreme<Op::min_of, Fact::lower>},
    {"max",
     "int[] -> int;int int -> int;vector -> real;row_vector -> real;matrix -> real;real[] -> real",
     extreme<Op::max_of, Fact::upper>},
    {"log_sum_exp", "vector -> real;row_vector -> real;matrix -> real;real[] -> real;x x -> x",
     log_sum_exp},
    {"dot_product", kPair, dot_product},
    {"dot_self", "vector -> real;row_vector -> real;real[] -> real", dot_self},
    {"squared_distance",
     "vector vector -> real;vector row_vector -> real;row_vector vector -> real;"
     "row_vector row_vector -> real;real real -> real",
     squared_distance},
    {"distance", kPair, distance},
    {"norm1", "vector -> real;row_vector -> real;real[] -> real", norm1},
    {"norm2", "vector -> real;row_vector -> real;real[] -> real", norm2},
    {"softmax", "vector -> vector", softmax},
    {"log_softmax", "vector -> vector", log_softmax},
    {"cumulative_sum", "int[] -> int[];vector -> vector;row_vector -> row_vector;real[] -> real[]",
     cumulative_sum},
    {"log_mix",
     "real real real -> real;vectors vectors -> real;vectors real[] -> real;"
     "real[] real[] -> real;real[] vectors -> real",
     log_mix},
};

}  // namespace

std::span<const FunctionRow> reduction_function_rows() { return kRows; }

}  // namespace dpvi
