#include <cmath>
#include <limits>
#include <numbers>

#include <dpvi/stan/types/function_table.hpp>
#include <dpvi/stan/value/operators.hpp>
#include <dpvi/stan/value/value_formula.hpp>

// Constants, and scalar functions that Stan applies to containers entry by entry.
namespace dpvi {
namespace {

using Arguments = std::span<const Value>;

template <Op kOp>
Value one(CallContext& context, Arguments arguments) {
  return elementwise(context, kOp, arguments[0]);
}

template <Op kOp>
Value two(CallContext& context, Arguments arguments) {
  return elementwise(context, kOp, arguments[0], arguments[1]);
}

template <int kNumber>
Value number(CallContext& context, Arguments) {
  static constexpr double kNumbers[] = {std::numbers::pi,
                                        std::numbers::e,
                                        std::numbers::sqrt2,
                                        std::numbers::ln2,
                                        std::numbers::ln10,
                                        std::numeric_limits<double>::quiet_NaN(),
                                        std::numeric_limits<double>::infinity(),
                                        -std::numeric_limits<double>::infinity(),
                                        std::numeric_limits<double>::epsilon()};
  return real_value(context, kNumbers[kNumber]);
}

Value absolute(CallContext& context, Arguments arguments) {
  return elementwise(context, Op::fabs, arguments[0])
      .with_type(arguments[0].type(), arguments[0].dims());
}

Value scaled_log(CallContext& context, Arguments arguments, double base) {
  const Formula f{context};
  return f(Op::div, f(Op::log, arguments[0]), std::log(base));
}

Value log2_of(CallContext& context, Arguments arguments) {
  if (arguments.empty()) return real_value(context, std::numbers::ln2);
  return scaled_log(context, arguments, 2.0);
}

Value log10_of(CallContext& context, Arguments arguments) {
  if (arguments.empty()) return real_value(context, std::numbers::ln10);
  return scaled_log(context, arguments, 10.0);
}

Value exp2_of(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::exp, f(Op::mul, std::numbers::ln2, arguments[0]));
}

Value inv_sqrt(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::inv, f(Op::sqrt, arguments[0]));
}

Value inv_square(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::inv, f(Op::square, arguments[0]));
}

Value cbrt_of(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value root = f(Op::pow, f(Op::fabs, arguments[0]), 1.0 / 3.0);
  return f.choose(f(Op::lt, arguments[0], 0.0), f(Op::neg, root), root);
}

Value inv_cloglog(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::neg, f(Op::expm1, f(Op::neg, f(Op::exp, arguments[0]))));
}

Value log1m_inv_logit(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::log_inv_logit, f(Op::neg, arguments[0]));
}

// Stan's approximation of the standard normal CDF, with Stan's two constants.
Value phi_approx(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value& x = arguments[0];
  const Value cube = f(Op::mul, f(Op::square, x), x);
  return f(Op::inv_logit, f(Op::add, f(Op::mul, 0.07056, cube), f(Op::mul, 1.5976, x)));
}

Value erf_of(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value tail = f(Op::phi, f(Op::mul, std::numbers::sqrt2, arguments[0]));
  return f(Op::sub, f(Op::mul, 2.0, tail), 1.0);
}

Value erfc_of(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::mul, 2.0, f(Op::phi, f(Op::mul, -std::numbers::sqrt2, arguments[0])));
}

Value asinh_of(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value& x = arguments[0];
  const Value size = f(Op::fabs, x);
  const Value root = f(Op::sqrt, f(Op::add, f(Op::square, x), 1.0));
  const Value result = f(Op::log, f(Op::add, size, root));
  return f.choose(f(Op::lt, x, 0.0), f(Op::neg, result), result);
}

Value acosh_of(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value& x = arguments[0];
  return f(Op::log, f(Op::add, x, f(Op::sqrt, f(Op::sub, f(Op::square, x), 1.0))));
}

Value atanh_of(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value& x = arguments[0];
  return f(Op::mul, 0.5, f(Op::sub, f(Op::log1p, x), f(Op::log1m, x)));
}

// Negative arguments use the reflection formula Gamma(x) Gamma(1 - x) = pi / sin(pi x). Stan
// rejects 0, -1, -2, ...
Value tgamma_of(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value& x = arguments[0];
  const Value nan = real_value(context, std::numeric_limits<double>::quiet_NaN());
  const Value sine = f(Op::sin, f(Op::mul, std::numbers::pi, x));
  const Value other = f(Op::exp, f(Op::lgamma, f(Op::sub, 1.0, x)));
  const Value reflected = f(Op::div, std::numbers::pi, f(Op::mul, sine, other));
  const Value below = f.choose(f(Op::eq, x, f(Op::floor, x)), nan, reflected);
  return f.choose(f(Op::lt, 0.0, x), f(Op::exp, f(Op::lgamma, x)), below);
}

// Returns 1 for NaN, as Stan does.
Value step_of(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::sub, 1.0, f(Op::lt, arguments[0], 0.0));
}

Value int_step(CallContext& context, Arguments arguments) {
  return Formula{context}(Op::lt, 0.0, arguments[0]).with_type(kIntType, Dims());
}

Value is_nan_of(CallContext& context, Arguments arguments) {
  return elementwise(context, Op::is_nan, arguments[0]).with_type(kIntType, Dims());
}

Value is_inf_of(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const double infinity = std::numeric_limits<double>::infinity();
  return f(Op::eq, f(Op::fabs, arguments[0]), infinity).with_type(kIntType, Dims());
}

Value difference_above(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value difference = f(Op::sub, arguments[0], arguments[1]);
  const Value above = f(Op::le, arguments[0], arguments[1]);
  return f.choose(above, real_value(context, 0.0), difference);
}

Value hypot_of(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::sqrt, f(Op::add, f(Op::square, arguments[0]), f(Op::square, arguments[1])));
}

Value log_gammas(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  return f(Op::sub, f(Op::add, f(Op::lgamma, a), f(Op::lgamma, b)),
           f(Op::lgamma, f(Op::add, a, b)));
}

// Stan rejects negative arguments.
Value lbeta(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  const Value value = log_gammas(context, arguments);
  const Value valid = f(Op::logical_and, f(Op::le, 0.0, a), f(Op::le, 0.0, b));
  const Value nan = real_value(context, std::numeric_limits<double>::quiet_NaN());
  return f.choose(valid, value, nan);
}

Value beta_function(CallContext& context, Arguments arguments) {
  return elementwise(context, Op::exp, log_gammas(context, arguments));
}

// Log binomial coefficient: -log(n + 1) - lbeta(n - k + 1, k + 1), and 0 for k = 0.
Value lchoose(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value& n = arguments[0];
  const Value& k = arguments[1];
  const Value parts[] = {f(Op::add, f(Op::sub, n, k), 1.0), f(Op::add, k, 1.0)};
  const Value none = f(Op::logical_and, f(Op::eq, k, 0.0), f(Op::eq, n, n));
  const Value value = f(Op::sub, f(Op::neg, lbeta(context, parts)), f(Op::log1p, n));
  return f.choose(none, real_value(context, 0.0), value);
}

Value choose(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value count = f(Op::exp, lchoose(context, arguments));
  const Value none = f(Op::lt, arguments[0], arguments[1]);
  const Value rounded = f(Op::round, f.choose(none, real_value(context, 0.0), count));
  const Value& shape = arguments[0].is_scalar() ? arguments[1] : arguments[0];
  return rounded.with_type(shape.type(), shape.dims());
}

// a log b, and 0 if both are 0.
Value lmultiply(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  const Value both = f(Op::logical_and, f(Op::eq, a, 0.0), f(Op::eq, b, 0.0));
  return f.choose(both, real_value(context, 0.0), f(Op::mul, a, f(Op::log, b)));
}

// log(exp(a) - exp(b)); -inf if a = b, NaN if a < b.
Value log_diff_exp(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  const Value minus_infinity = real_value(context, -std::numeric_limits<double>::infinity());
  const Value result = f(Op::add, a, f(Op::log1m_exp, f(Op::sub, b, a)));
  return f.choose(f(Op::eq, a, b), minus_infinity, result);
}

Value log_inv_logit_diff(CallContext& context, Arguments arguments) {
  const Value parts[] = {elementwise(context, Op::log_inv_logit, arguments[0]),
                         elementwise(context, Op::log_inv_logit, arguments[1])};
  return log_diff_exp(context, parts);
}

Value fused_multiply_add(CallContext& context, Arguments arguments) {
  const Formula f{context};
  return f(Op::add, f(Op::mul, arguments[0], arguments[1]), arguments[2]);
}

Value to_int(CallContext& context, Arguments arguments) {
  return elementwise(context, Op::trunc, arguments[0])
      .with_type({StanBase::integer, arguments[0].type().array_rank}, arguments[0].dims());
}

// If exactly one argument is NaN, returns the other.
template <Op kOp>
Value extreme(CallContext& context, Arguments arguments) {
  const Formula f{context};
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  const Value both = f(kOp, a, b);
  const Value other = f.choose(f(Op::is_nan, a), laid_out_like(context, b, both), both);
  return f.choose(f(Op::is_nan, b), laid_out_like(context, a, both), other);
}

constexpr std::string_view kUnary = "x -> x";
constexpr std::string_view kBinary = "x x -> x";

constexpr FunctionRow kRows[] = {
    {"pi", " -> real", number<0>},
    {"e", " -> real", number<1>},
    {"sqrt2", " -> real", number<2>},
    {"not_a_number", " -> real", number<5>},
    {"positive_infinity", " -> real", number<6>},
    {"negative_infinity", " -> real", number<7>},
    {"machine_precision", " -> real", number<8>},
    {"log2", " -> real;x -> x", log2_of},
    {"log10", " -> real;x -> x", log10_of},
    {"exp", kUnary, one<Op::exp>},
    {"log", kUnary, one<Op::log>},
    {"log1p", kUnary, one<Op::log1p>},
    {"log1m", kUnary, one<Op::log1m>},
    {"expm1", kUnary, one<Op::expm1>},
    {"exp2", kUnary, exp2_of},
    {"sqrt", kUnary, one<Op::sqrt>},
    {"cbrt", kUnary, cbrt_of},
    {"square", kUnary, one<Op::square>},
    {"inv", kUnary, one<Op::inv>},
    {"inv_sqrt", kUnary, inv_sqrt},
    {"inv_square", kUnary, inv_square},
    {"fabs", kUnary, one<Op::fabs>},
    {"abs", "x -> first", absolute},
    {"sin", kUnary, one<Op::sin>},
    {"cos", kUnary, one<Op::cos>},
    {"tan", kUnary, one<Op::tan>},
    {"asin", kUnary, one<Op::asin>},
    {"acos", kUnary, one<Op::acos>},
    {"atan", kUnary, one<Op::atan>},
    {"sinh", kUnary, one<Op::sinh>},
    {"cosh", kUnary, one<Op::cosh>},
    {"tanh", kUnary, one<Op::tanh>},
    {"asinh", kUnary, asinh_of},
    {"acosh", kUnary, acosh_of},
    {"atanh", kUnary, atanh_of},
    {"inv_logit", kUnary, one<Op::inv_logit>},
    {"logit", kUnary, one<Op::logit>},
    {"log_inv_logit", kUnary, one<Op::log_inv_logit>},
    {"log1m_inv_logit", kUnary, log1m_inv_logit},
    {"log1p_exp", kUnary, one<Op::log1p_exp>},
    {"log1m_exp", kUnary, one<Op::log1m_exp>},
    {"lgamma", kUnary, one<Op::lgamma>},
    {"tgamma", kUnary, tgamma_of},
    {"digamma", kUnary, one<Op::digamma>},
    {"trigamma", kUnary, one<Op::trigamma>},
    {"erf", kUnary, erf_of},
    {"erfc", kUnary, erfc_of},
    {"Phi", kUnary, one<Op::phi>},
    {"inv_Phi", kUnary, one<Op::inv_phi>},
    {"Phi_approx", kUnary, phi_approx},
    {"inv_cloglog", kUnary, inv_cloglog},
    {"floor", kUnary, one<Op::floor>},
    {"ceil", kUnary, one<Op::ceil>},
    {"round", kUnary, one<Op::round>},
    {"trunc", kUnary, one<Op::trunc>},
    {"step", "real -> real", step_of},
    {"int_step", "real -> int", int_step},
    {"is_nan", "real -> int", is_nan_of},
    {"is_inf", "real -> int", is_inf_of},
    {"to_int",
     "real -> int;real[] -> int[];real[,] -> int[,];real[,,] -> int[,,];real[,,,] -> int[,,,];"
     "real[,,,,] -> int[,,,,];real[,,,,,] -> int[,,,,,]",
     to_int},
    {"pow", kBinary, two<Op::pow>},
    {"fmin", kBinary, extreme<Op::min>},
    {"fmax", kBinary, extreme<Op::max>},
    {"fmod", kBinary, two<Op::fmod>},
    {"fdim", kBinary, difference_above},
    {"hypot", kBinary, hypot_of},
    {"atan2", kBinary, two<Op::atan2>},
    {"beta", kBinary, beta_function},
    {"lbeta", kBinary, lbeta},
    {"lchoose", kBinary, lchoose},
    {"choose", "counts counts -> number", choose},
    {"lmultiply", kBinary, lmultiply},
    // Names used before Stan 2.33.
    {"multiply_log", kBinary, lmultiply},
    {"binomial_coefficient_log", kBinary, lchoose},
    {"log_diff_exp", kBinary, log_diff_exp},
    {"log_inv_logit_diff", kBinary, log_inv_logit_diff},
    {"fma", "x x x -> x", fused_multiply_add},
};

}  // namespace

std::span<const FunctionRow> elementwise_function_rows() { return kRows; }

}  // namespace dpvi
