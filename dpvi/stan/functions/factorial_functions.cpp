#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include <dpvi/stan/types/function_table.hpp>
#include <dpvi/stan/value/value_formula.hpp>

// Factorials, gamma functions and distribution functions of several arguments.
namespace dpvi {
namespace {

using Arguments = std::span<const Value>;

template <Op kOp>
Value exponential_of(CallContext& context, Arguments arguments) {
  return elementwise(context, Op::exp, elementwise(context, kOp, arguments[0], arguments[1]));
}

Value inc_beta(CallContext& context, Arguments arguments) {
  GraphBuilder& builder = context.builder;
  const NodeId log_value = builder.several(
      Op::log_inc_beta,
      {arguments[0].flat(builder), arguments[1].flat(builder), arguments[2].flat(builder)});
  return Value::scalar(kRealType, builder.exp(log_value));
}

Value owens_t(CallContext& context, Arguments arguments) {
  return elementwise(context, Op::owens_t, arguments[0], arguments[1]);
}

// Stan rejects a first argument that is not positive.
Value of_positive(CallContext& context, const Value& x, const Value& value) {
  const Formula f{context};
  const Value nan = real_value(context, std::numeric_limits<double>::quiet_NaN());
  return f.choose(f(Op::lt, 0.0, x), value, nan);
}

Value log_rising_factorial(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value& x = arguments[0];
  return of_positive(context, x,
                     f(Op::sub, f(Op::lgamma, f(Op::add, x, arguments[1])), f(Op::lgamma, x)));
}

Value log_falling_factorial(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value x = f(Op::add, arguments[0], 1.0);
  return of_positive(context, arguments[0],
                     f(Op::sub, f(Op::lgamma, x), f(Op::lgamma, f(Op::sub, x, arguments[1]))));
}

// x (x + step) (x + 2 step) ..., n factors. If n depends on the record, all factors up to its upper
// bound are computed.
Value factor_product(CallContext& context, Arguments arguments, double step) {
  const Formula f{context};
  const Value& count = arguments[1];
  constexpr double kMaxFactors = 1000;
  double most = 0;
  for (const NodeId entry : count.entries(context.builder)) {
    const auto range = context.ranges.of(entry);
    const bool told = range && range->high <= kMaxFactors;
    if (!told) context.known_int(Value::scalar(kIntType, entry), "A number of factors");
    const double* known = context.builder.constant_value(entry);
    if (known != nullptr && !(*known >= 0 && *known <= kMaxFactors)) {
      context.fail(fmt::format("{} does not take {} factors.", context.function, *known));
    }
    most = std::max(most, told ? range->high : known != nullptr ? *known : kMaxFactors);
  }
  const Value one = real_value(context, 1.0);
  const Value nan = real_value(context, std::numeric_limits<double>::quiet_NaN());
  const Value& x = arguments[0];
  Value product = f.choose(f(Op::eq, x, x), one, nan);
  product = f.choose(f(Op::le, 0.0, count), product, nan);
  for (double i = 0; i < most; ++i) {
    product = f(Op::mul, product, f.choose(f(Op::lt, i, count), f(Op::add, x, i * step), one));
  }
  const bool ints = std::all_of(arguments.begin(), arguments.end(), [](const Value& argument) {
    return argument.type().base == StanBase::integer;
  });
  const StanType type{StanBase::integer, product.type().array_rank};
  return ints ? product.with_type(type, product.dims()) : product;
}

Value rising_factorial(CallContext& context, Arguments arguments) {
  return factor_product(context, arguments, 1.0);
}

Value falling_factorial(CallContext& context, Arguments arguments) {
  return factor_product(context, arguments, -1.0);
}

// Log multivariate gamma function of dimension n: n (n - 1) / 4 log pi plus n lgamma terms.
Value lmgamma(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value& n = arguments[0];
  std::int64_t most = 0;
  for (const NodeId entry : n.entries(context.builder)) {
    most = std::max(most, context.largest(Value::scalar(kIntType, entry), "A dimension"));
  }
  context.checked_size(most * (n.size() + arguments[1].size()));
  const Value pairs =
      f(Op::mul, 0.25 * std::log(std::numbers::pi), f(Op::mul, n, f(Op::sub, n, 1.0)));
  Value total = f(Op::add, f(Op::mul, arguments[1], 0.0), pairs);
  const Value zero = real_value(context, 0.0);
  for (std::int64_t j = 1; j <= most; ++j) {
    const double shift = 0.5 * static_cast<double>(1 - j);
    const Value term = f(Op::lgamma, f(Op::add, arguments[1], shift));
    const Value counts = f(Op::le, static_cast<double>(j), n);
    total = f(Op::add, total, f.choose(counts, term, zero));
  }
  return total;
}

Value binary_log_loss(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value& p = arguments[1];
  return f(Op::neg, f.choose(arguments[0], f(Op::log, p), f(Op::log1m, p)));
}

Value ldexp_of(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::mul, arguments[0], f(Op::exp, f(Op::mul, arguments[1], std::numbers::ln2)));
}

Value inv_erfc(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::mul, -1.0 / std::numbers::sqrt2, f(Op::inv_phi, f(Op::mul, 0.5, arguments[0])));
}

Value std_normal_log_qf(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::inv_phi, f(Op::exp, arguments[0]));
}

// The order may be data. An order that depends on parameters would need a derivative with respect
// to the order.
template <Op kOp>
Value bessel(CallContext& context, Arguments arguments) {
  GraphBuilder& builder = context.builder;
  if (depends_on_theta(builder.space(arguments[0].flat(builder)))) {
    context.fail(kModelUnsupported,
                 fmt::format("The order of {} depends on parameters.", context.function),
                 "Only orders computed from data are supported.");
  }
  return elementwise(context, kOp, arguments[0], arguments[1]);
}

template <Op kOp>
Value unary(CallContext& context, Arguments arguments) {
  return elementwise(context, kOp, arguments[0]);
}

constexpr std::string_view kBinary = "x x -> x";

constexpr FunctionRow kRows[] = {
    {"gamma_p", kBinary, exponential_of<Op::log_gamma_p>},
    {"gamma_q", kBinary, exponential_of<Op::log_gamma_q>},
    {"inc_beta", "real real real -> real", inc_beta},
    {"owens_t", kBinary, owens_t},
    {"log_rising_factorial", kBinary, log_rising_factorial},
    {"log_falling_factorial", kBinary, log_falling_factorial},
    {"rising_factorial", "x x -> number", rising_factorial},
    {"falling_factorial", "x x -> number", falling_factorial},
    {"lmgamma", kBinary, lmgamma},
    {"binary_log_loss", kBinary, binary_log_loss},
    {"ldexp", kBinary, ldexp_of},
    {"inv_erfc", "x -> x", inv_erfc},
    {"bessel_first_kind", kBinary, bessel<Op::bessel_j>},
    {"bessel_second_kind", kBinary, bessel<Op::bessel_y>},
    {"modified_bessel_first_kind", kBinary, bessel<Op::bessel_i>},
    {"modified_bessel_second_kind", kBinary, bessel<Op::bessel_k>},
    {"log_modified_bessel_first_kind", kBinary, bessel<Op::log_bessel_i>},
    {"lambert_w0", "x -> x", unary<Op::lambert_w0>},
    {"lambert_wm1", "x -> x", unary<Op::lambert_wm1>},
    {"std_normal_qf", "x -> x", unary<Op::inv_phi>},
    {"std_normal_log_qf", "x -> x", std_normal_log_qf},
};

}  // namespace

std::span<const FunctionRow> factorial_function_rows() { return kRows; }

}  // namespace dpvi
