#include <cmath>
#include <numbers>

#include <dpvi/model/densities/density_writer.hpp>
#include <dpvi/model/densities/families.hpp>

namespace dpvi {
namespace {

// Both series describe a particle without drift that starts at w between 0 and 1 and leaves at 0
// (Navarro and Fuss 2009). One converges fast up to the time kSwitch, the other from there on. With
// the numbers of terms below, both are accurate to rounding.
constexpr double kSwitch = 1.0;
constexpr int kEarlyTerms = 4;
constexpr int kLateTerms = 3;

Expression log_early(Expression w, Expression x) {
  Expression sum = w;
  for (int k = 1; k <= kEarlyTerms; ++k) {
    const double both = 2.0 * k;
    sum = sum + (w + both) * exp(-both * (k + w) / x) + (w - both) * exp(-both * (k - w) / x);
  }
  const double log_root_two_pi = 0.5 * std::log(2.0 * std::numbers::pi);
  return log(sum) - 0.5 * (square(w) / x) - 1.5 * log(x) - log_root_two_pi;
}

Expression log_late(Expression w, Expression x) {
  constexpr double kPi = std::numbers::pi;
  const double rate = 0.5 * kPi * kPi;
  Expression sum = apply(Op::sin, kPi * w);
  for (int k = 2; k <= kLateTerms; ++k) {
    sum =
        sum + static_cast<double>(k) * exp(-rate * (k * k - 1.0) * x) * apply(Op::sin, kPi * k * w);
  }
  return log(sum) - rate * x + std::log(kPi);
}

// The density of the time y at which a particle with drift delta reaches the upper of two
// boundaries alpha apart. It starts at time tau, at the fraction beta of the way between them.
NodeId wiener_lpdf(GraphBuilder& builder, Arguments arguments) {
  DensityWriter density(builder, arguments);
  const Expression alpha = density.positive_finite(1);
  const Expression tau = density.positive_finite(2);
  const Expression beta = density.between(3, 0.0, 1.0);
  const Expression delta = density.finite(4);
  const Expression since = density.argument(0) - tau;
  const Expression time = density.required(since, positive(since));
  const Expression w = 1.0 - beta;
  const Expression x = time / square(alpha);
  // Neither series is evaluated at a time where it would overflow.
  const Expression early = log_early(w, apply(Op::min, x, kSwitch));
  const Expression late = log_late(w, apply(Op::max, x, kSwitch));
  density.add(select(x < kSwitch, early, late));
  density.add(delta * (alpha * w) - 0.5 * (square(delta) * time));
  density.add(-2.0 * log(alpha));
  return density.result();
}

}  // namespace

void add_first_passage_family(FunctionRegistry& registry) {
  registry.add("wiener_lpdf", wiener_lpdf);
}

}  // namespace dpvi
