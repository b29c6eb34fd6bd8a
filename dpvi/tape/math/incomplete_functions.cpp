#include <dpvi/tape/math/incomplete_functions.hpp>

#include <boost/math/special_functions/log1p.hpp>
#include <boost/math/special_functions/owens_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <dpvi/tape/math/internal/quiet_policy.hpp>
#include <dpvi/tape/math/special_functions.hpp>

namespace dpvi {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// The sums and fractions below take about 6 sqrt(a) terms.
constexpr int kMaxTerms = 200'000;
const double kHalfLogTwoPi = 0.5 * std::log(2.0 * std::numbers::pi);

double log1m_exp(double x) {
  return x > -std::numbers::ln2 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x));
}

// log(1 - p), computed from log p.
struct Complement {
  double value;
  double factor;  // turns derivatives of log p into derivatives of log(1 - p)
};

Complement complement(double log_p) {
  const double value = log1m_exp(std::min(log_p, 0.0));
  return {value, -std::exp(log_p - value)};
}

// A number and its derivatives with respect to the two shape parameters.
struct Shaped {
  double value = 0.0;
  double by_a = 0.0;
  double by_b = 0.0;

  Shaped(double v, double a = 0.0, double b = 0.0) : value(v), by_a(a), by_b(b) {}
  friend Shaped operator+(const Shaped& x, const Shaped& y) {
    return {x.value + y.value, x.by_a + y.by_a, x.by_b + y.by_b};
  }
  friend Shaped operator-(const Shaped& x, const Shaped& y) {
    return {x.value - y.value, x.by_a - y.by_a, x.by_b - y.by_b};
  }
  friend Shaped operator*(const Shaped& x, const Shaped& y) {
    return {x.value * y.value, x.by_a * y.value + x.value * y.by_a,
            x.by_b * y.value + x.value * y.by_b};
  }
  friend Shaped operator/(const Shaped& x, const Shaped& y) {
    const double ratio = x.value / y.value;
    return {ratio, (x.by_a - ratio * y.by_a) / y.value, (x.by_b - ratio * y.by_b) / y.value};
  }
};

// Lentz's method for the continued fraction b0 + a1 / (b1 + a2 / (b2 + ...)).
class Fraction {
 public:
  explicit Fraction(const Shaped& b0) : value_(b0), c_(b0), d_(0.0) {}
  // Returns true once another term changes nothing.
  bool add(const Shaped& a, const Shaped& b) {
    d_ = 1.0 / (b + a * d_);
    c_ = b + a / c_;
    const Shaped change = c_ * d_;
    value_ = value_ * change;
    // A derivative is the difference of two numbers of this size and carries their rounding errors.
    const double by_a = 1.0 + std::fabs(c_.by_a * d_.value);
    const double by_b = 1.0 + std::fabs(c_.by_b * d_.value);
    return std::fabs(change.value - 1.0) < kSettled && std::fabs(change.by_a) < kSettled * by_a &&
           std::fabs(change.by_b) < kSettled * by_b;
  }
  const Shaped& value() const { return value_; }

 private:
  static constexpr double kSettled = 4.0 * kEpsilon;
  Shaped value_;
  Shaped c_;
  Shaped d_;
};

// log gamma(a) minus Stirling's formula, for a >= 10 (Abramowitz and Stegun 6.1.41).
double stirling_correction(double a) {
  const double r = 1.0 / a;
  const double r2 = r * r;
  return r * (1.0 / 12 -
              r2 * (1.0 / 360 -
                    r2 * (1.0 / 1260 - r2 * (1.0 / 1680 - r2 * (1.0 / 1188 - r2 * 691 / 360360)))));
}

double log1p_minus(double x) { return boost::math::log1pmx(x, Quiet()); }

// From this shape on, the cancellation of large logarithms would lose digits.
constexpr double kLargeShape = 10.0;

// log of x^a exp(-x) / gamma(a)
double log_gamma_kernel(double a, double x) {
  if (a < kLargeShape) return a * std::log(x) - x - log_gamma(a);
  return a * log1p_minus((x - a) / a) + 0.5 * std::log(a) - kHalfLogTwoPi - stirling_correction(a);
}

// log of x^a y^b / B(a, b), y = 1 - x
double log_beta_kernel(double a, double b, double x, double y) {
  if (a < kLargeShape || b < kLargeShape) {
    const double log_beta = log_gamma(a) + log_gamma(b) - log_gamma(a + b);
    return a * std::log(x) + b * std::log(y) - log_beta;
  }
  const double distance = x * b - y * a;  // distance from the mean, times a + b
  return a * log1p_minus(distance / a) + b * log1p_minus(-distance / b) +
         0.5 * std::log(a / (a + b) * b) - kHalfLogTwoPi + stirling_correction(a + b) -
         stirling_correction(a) - stirling_correction(b);
}

// P = kernel times the sum of x^n / (a (a + 1) ... (a + n)).
void sum_lower_gamma(double a, double x, LogTails& tails) {
  double term = 1.0 / a;
  double slope = -1.0 / a;  // derivative of log(term) with respect to a
  double sum = term;
  double sum_by_a = term * slope;
  for (int n = 1; n < kMaxTerms; ++n) {
    term *= x / (a + n);
    slope -= 1.0 / (a + n);
    sum += term;
    sum_by_a += term * slope;
    if (-term * slope < kEpsilon * std::fabs(sum_by_a) && term < kEpsilon * sum) break;
  }
  tails.lower = log_gamma_kernel(a, x) + std::log(sum);
  tails.lower_by_a = std::log(x) - digamma(a) + sum_by_a / sum;
  const auto [upper, factor] = complement(tails.lower);
  tails.upper = upper;
  tails.upper_by_a = factor * tails.lower_by_a;
}

// Q = kernel / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...))).
void expand_upper_gamma(double a, double x, LogTails& tails) {
  Fraction fraction(Shaped(x + 1.0 - a, -1.0));
  for (int i = 1; i < kMaxTerms; ++i) {
    const double k = i;
    if (fraction.add(Shaped(-k * (k - a), k), Shaped(x + 2.0 * k + 1.0 - a, -1.0))) break;
  }
  const Shaped& f = fraction.value();
  tails.upper = log_gamma_kernel(a, x) - std::log(f.value);
  tails.upper_by_a = std::log(x) - digamma(a) - f.by_a / f.value;
  const auto [lower, factor] = complement(tails.upper);
  tails.lower = lower;
  tails.lower_by_a = factor * tails.upper_by_a;
}

// log I_x(a, b) and its derivatives with respect to the shapes, for x up to about the mean; y = 1 -
// x. I_x(a, b) is x^a y^b / (a B(a, b)) divided by a continued fraction (Numerical Recipes 6.4.5).
Shaped small_incomplete_beta(double a, double b, double x, double y) {
  Fraction fraction(Shaped(1.0));
  const Shaped shape_a(a, 1.0, 0.0);
  const Shaped shape_b(b, 0.0, 1.0);
  for (int i = 0; i < kMaxTerms; ++i) {
    const double m = i;
    const Shaped odd = Shaped(-x) * (shape_a + m) * (shape_a + shape_b + m) /
                       ((shape_a + 2.0 * m) * (shape_a + (2.0 * m + 1.0)));
    const bool settled = fraction.add(odd, 1.0);
    const double k = m + 1.0;
    const Shaped even =
        Shaped(k * x) * (shape_b - k) / ((shape_a + (2.0 * k - 1.0)) * (shape_a + 2.0 * k));
    if (fraction.add(even, 1.0) && settled) break;
  }
  const Shaped& f = fraction.value();
  const double both = digamma(a + b);
  return {log_beta_kernel(a, b, x, y) - std::log(a) - std::log(f.value),
          std::log(x) - 1.0 / a - digamma(a) + both - f.by_a / f.value,
          std::log(y) - digamma(b) + both - f.by_b / f.value};
}

Shaped incomplete_beta(double a, double b, double x, double y) {
  if (x <= (a + 1.0) / (a + b + 2.0)) return small_incomplete_beta(a, b, x, y);
  const Shaped other = small_incomplete_beta(b, a, y, x);
  const auto [value, factor] = complement(other.value);
  return {value, factor * other.by_b, factor * other.by_a};
}

bool positive_finite(double x) { return x > 0.0 && x < kInfinity; }

}  // namespace

LogTails log_incomplete_gamma(double a, double x) {
  if (!positive_finite(a) || !(x >= 0.0)) return {kNan, kNan, kNan, kNan, kNan, kNan};
  if (x == 0.0) return {-kInfinity, 0.0, 0.0, 0.0, kInfinity, 0.0};
  if (x == kInfinity) return {0.0, -kInfinity, 0.0, 0.0, 0.0, 0.0};
  LogTails tails;
  if (x < a + 1.0) {
    sum_lower_gamma(a, x, tails);
  } else {
    expand_upper_gamma(a, x, tails);
  }
  const double log_density = log_gamma_kernel(a, x) - std::log(x);
  tails.lower_by_x = std::exp(log_density - tails.lower);
  tails.upper_by_x = -std::exp(log_density - tails.upper);
  return tails;
}

LogBeta log_incomplete_beta(double a, double b, double x) {
  if (!positive_finite(a) || !positive_finite(b) || !(x >= 0.0 && x <= 1.0)) {
    return {kNan, {kNan, kNan, kNan}};
  }
  if (x == 0.0) return {-kInfinity, {0.0, 0.0, kInfinity}};
  if (x == 1.0) return {0.0, {0.0, 0.0, 0.0}};
  const Shaped found = incomplete_beta(a, b, x, 1.0 - x);
  const double log_density = log_beta_kernel(a, b, x, 1.0 - x) - std::log(x) - std::log1p(-x);
  return {found.value, {found.by_a, found.by_b, std::exp(log_density - found.value)}};
}

LogStudent log_student_t_cdf(double nu, double t) {
  if (!(nu > 0.0) || std::isnan(t)) return {kNan, kNan, kNan};
  if (nu == kInfinity) return {log_standard_normal_cdf(t), 0.0, inverse_mills_ratio(t)};
  if (std::isinf(t)) return {t > 0.0 ? 0.0 : -kInfinity, 0.0, 0.0};
  const double half = 0.5 * nu;
  const double log_beta = log_gamma(half) + log_gamma(0.5) - log_gamma(half + 0.5);
  const double ratio = t / nu * t;
  const double log_density = -(half + 0.5) * std::log1p(ratio) - 0.5 * std::log(nu) - log_beta;
  if (t == 0.0) return {-std::numbers::ln2, 0.0, 2.0 * std::exp(log_density)};
  // Twice the tail probability beyond |t| is I_x(nu / 2, 1 / 2) with x = nu / (nu + t^2).
  const double x = 1.0 / (1.0 + ratio);
  const Shaped found = incomplete_beta(half, 0.5, x, ratio * x);
  const double log_tail = found.value - std::numbers::ln2;
  // The derivative of x with respect to nu at fixed t, times the derivative of log I with respect
  // to x.
  const double by_x = std::exp(log_density - found.value) * std::fabs(t) / nu;
  const double tail_by_nu = 0.5 * found.by_a + by_x;
  if (t < 0.0) return {log_tail, tail_by_nu, std::exp(log_density - log_tail)};
  const auto [value, factor] = complement(log_tail);
  return {value, factor * tail_by_nu, std::exp(log_density - value)};
}

OwensT owens_t(double h, double a) {
  if (std::isnan(h) || std::isnan(a)) return {kNan, kNan, kNan};
  const double density = std::exp(-0.5 * h * h - kHalfLogTwoPi);
  const double square = 1.0 + a * a;
  return {boost::math::owens_t(h, a, Quiet()), -density * (standard_normal_cdf(a * h) - 0.5),
          std::exp(-0.5 * h * h * square) / (2.0 * std::numbers::pi * square)};
}

}  // namespace dpvi
