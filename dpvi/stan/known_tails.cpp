#include <dpvi/stan/known_tails.hpp>

#include <cmath>
#include <limits>

#include <boost/math/distributions.hpp>

namespace dpvi {
namespace {

using Arguments = std::span<const double>;
// Out of range gives NaN instead of an exception.
using Quiet = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::pole_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

template <class Distribution>
double log_tail(const Distribution& distribution, double x, bool upper) {
  return std::log(upper ? cdf(complement(distribution, x)) : cdf(distribution, x));
}

template <bool kUpper>
double student_t(Arguments a) {
  const double z = (a[0] - a[2]) / a[3];
  if (!(a[3] > 0) || !(a[1] > 0)) return std::numeric_limits<double>::quiet_NaN();
  return log_tail(boost::math::students_t_distribution<double, Quiet>(a[1]), z, kUpper);
}

template <bool kUpper>
double gamma(Arguments a) {
  return log_tail(boost::math::gamma_distribution<double, Quiet>(a[1], 1.0 / a[2]), a[0], kUpper);
}

template <bool kUpper>
double inv_gamma(Arguments a) {
  return log_tail(boost::math::inverse_gamma_distribution<double, Quiet>(a[1], a[2]), a[0], kUpper);
}

template <bool kUpper>
double chi_square(Arguments a) {
  return log_tail(boost::math::chi_squared_distribution<double, Quiet>(a[1]), a[0], kUpper);
}

template <bool kUpper>
double beta(Arguments a) {
  return log_tail(boost::math::beta_distribution<double, Quiet>(a[1], a[2]), a[0], kUpper);
}

template <bool kUpper>
double poisson(Arguments a) {
  return log_tail(boost::math::poisson_distribution<double, Quiet>(a[1]), a[0], kUpper);
}

template <bool kUpper>
double binomial(Arguments a) {
  return log_tail(boost::math::binomial_distribution<double, Quiet>(a[1], a[2]), a[0], kUpper);
}

struct Row {
  std::string_view name;
  KnownTail tail;
};

constexpr Row kRows[] = {
    {"student_t_lcdf", student_t<false>},
    {"student_t_lccdf", student_t<true>},
    {"gamma_lcdf", gamma<false>},
    {"gamma_lccdf", gamma<true>},
    {"inv_gamma_lcdf", inv_gamma<false>},
    {"inv_gamma_lccdf", inv_gamma<true>},
    {"chi_square_lcdf", chi_square<false>},
    {"chi_square_lccdf", chi_square<true>},
    {"beta_lcdf", beta<false>},
    {"beta_lccdf", beta<true>},
    {"poisson_lcdf", poisson<false>},
    {"poisson_lccdf", poisson<true>},
    {"binomial_lcdf", binomial<false>},
    {"binomial_lccdf", binomial<true>},
};

}  // namespace

KnownTail find_known_tail(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.tail;
  }
  return nullptr;
}

}  // namespace dpvi
