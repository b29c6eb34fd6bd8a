#include <dpvi/privacy/rdp.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/dominating_pair.hpp>

namespace dpvi {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Errors of truncation and quadrature are below e^-kDepth, relative to the integral or absolute.
constexpr double kDepth = 72;
constexpr double kMaxNodes = 4e6;

// ln of e^(order L) - 1 - order (e^L - 1), which an outcome of loss L contributes, per unit of
// Q-mass, to the moment in excess of one. The difference is positive and is computed without
// cancellation.
double log_moment_excess(double order, double loss) {
  const double power = order * loss;
  if (power > 30)
    return power + std::log1p(-std::exp(-power) * (1 - order) - order * std::exp(loss - power));
  if (std::abs(power) > 0.1) return std::log(std::expm1(power) - order * std::expm1(loss));
  double term = loss, order_power = 1, sum = 0;
  for (int n = 2; n < 16; ++n) {
    term *= loss / n;
    order_power *= order;
    sum += term * order * (order_power - 1);
  }
  return std::log(sum);
}

// The trapezoidal rule converges geometrically. Moving the line of integration by i theta s^2 costs
// a factor e^(theta^2 s^2 / 2) for the densities and at most cos(theta/2)^(1-order) for a mixture
// under a negative power. It gains a factor e^(2 pi theta s^2 / step).
double trapezoid_step(const DominatingPair<double>& pair, double order) {
  const double variance = pair.noise * pair.noise;
  const double curvature = variance / 2 + (pair.down > 0 ? (order - 1) / 8 : 0);
  const double theta = std::min(3.0, std::sqrt(kDepth / curvature));
  const double cost = variance * theta * theta / 2 -
                      (pair.down > 0 ? (order - 1) * std::log(std::cos(theta / 2)) : 0);
  return 2 * std::numbers::pi * variance * theta / (kDepth + cost);
}

// Number of standard deviations around 0 and `order` that the integral must cover. The part left
// out is at most (1-q)^(1-order) q e^((order^2-order)/(2 s^2)) times a normal tail. The integral is
// at least q^order e^((order^2-order)/(2 s^2)).
double reach(const DominatingPair<double>& pair, double order) {
  const double rate = std::max(pair.up, pair.down);
  const double mixture = pair.down > 0 ? -(order - 1) * std::log1p(-rate) : 0;
  const double growth =
      std::max(0.0, mixture + (order * order - order) / (2 * pair.noise * pair.noise));
  return std::sqrt(2 * (kDepth + 8 + std::min(growth, mixture - (order - 1) * std::log(rate))));
}

// ln E_P[e^((order-1) L)] of one sampled step, rounded up.
double log_moment(const DominatingPair<double>& pair, double order) {
  const double s = pair.noise;
  const double scale = 2 * s * s;
  const double margin = reach(pair, order) * s;
  const double first = (pair.down > 0 ? -1.0 : 0.0) - margin;
  const double last = (pair.up > 0 ? order : 1.0) + margin;
  const double step = trapezoid_step(pair, order);
  const double nodes = (last - first) / step;
  if (!(nodes < kMaxNodes)) return kInfinity;

  // Sums e^exponent relative to the largest so far. `doubt` accumulates the exponents' rounding.
  double largest = -kInfinity, sum = 0, doubt = 0;
  for (double i = 0; i <= nodes; ++i) {
    const double x = first + i * step;
    const double loss = pair.loss(x);
    const double t = (-2 * x - 1) / scale;
    const double log_q = -x * x / scale + DominatingPair<double>::log_mixture(pair.down, t);
    const double gained = log_moment_excess(order, loss);
    const double exponent = log_q + gained;
    if (exponent == -kInfinity) continue;
    if (exponent > largest) {
      sum *= std::exp(largest - exponent);
      doubt *= std::exp(largest - exponent);
      largest = exponent;
    }
    const double value = std::exp(exponent - largest);
    sum += value;
    doubt += value * (x * x / scale + std::abs(t) + order * std::abs(loss) + std::abs(gained));
  }
  const double error = kUnit * (8 * doubt / sum + nodes + 64);
  const double log_excess = largest + std::log(sum * step / (s * std::sqrt(2 * std::numbers::pi)));
  // ln(1 + e^log_excess).
  const double rounded = log_excess + error;
  const double value =
      rounded > 0 ? rounded + std::log1p(std::exp(-rounded)) : std::log1p(std::exp(rounded));
  return value * (1 + 8 * kUnit) + 1e-30;
}

double one_step_rdp(const GaussianPhase& phase, Adjacency adjacency, double order) {
  const double s = phase.noise_multiplier;
  const double shift = adjacency == Adjacency::substitute ? 2 : 1;
  const double unsampled = order * shift * shift / (2 * s * s) * (1 + 4 * kUnit);
  if (phase.sampling_rate == 1) return unsampled;
  // Remove is the worse direction of add/remove (Mironov, Talwar & Zhang 2019, Theorem 5).
  const Direction direction =
      adjacency == Adjacency::substitute ? Direction::substitute : Direction::remove;
  const DominatingPair<double> pair(direction, phase.sampling_rate, s);
  return std::min(unsampled, log_moment(pair, order) / (order - 1) * (1 + 2 * kUnit));
}

void validate_order(double order) {
  if (!(order > 1 && std::isfinite(order)))
    throw UsageError(kValueOutsideRule,
                     fmt::format("order is {}; it must be above 1 and finite.", order),
                     "Usual orders lie between 1.1 and 256.");
}

double log_delta_from_rdp(double rdp, double order, double epsilon) {
  return (order - 1) * (rdp - epsilon + std::log1p(-1 / order)) - std::log(order);
}

// The order > 1 with the least cost, by a scan of a geometric grid and a golden-section search.
struct BestOrder {
  double cost = kInfinity;
  double order = 0;
  bool at_edge = false;
};

template <class Cost>
BestOrder best_order(const Cost& cost_at) {
  constexpr double kGolden = 0.6180339887498949;
  constexpr double kFirst = -9, kLast = 18, kStride = 0.5;  // range and step of ln(order - 1)
  const auto cost = [&](double log_distance) { return cost_at(1 + std::exp(log_distance)); };
  double best = kFirst, best_cost = kInfinity;
  int worse_in_a_row = 0;
  for (double at = kFirst; at <= kLast && worse_in_a_row < 8; at += kStride) {
    const double found = cost(at);
    worse_in_a_row = found < best_cost || !std::isfinite(best_cost) ? 0 : worse_in_a_row + 1;
    if (found < best_cost) best = at, best_cost = found;
  }
  double a = std::max(kFirst, best - kStride), b = std::min(kLast, best + kStride);
  // Each round keeps one of the two inner points and evaluates the other.
  double c = b - kGolden * (b - a), d = a + kGolden * (b - a);
  double at_c = cost(c), at_d = cost(d);
  for (int i = 0; i < 24; ++i) {
    if (at_c <= at_d) {
      b = d, d = c, at_d = at_c;
      c = b - kGolden * (b - a), at_c = cost(c);
    } else {
      a = c, c = d, at_c = at_d;
      d = a + kGolden * (b - a), at_d = cost(d);
    }
  }
  const double refined = cost((a + b) / 2);
  if (refined < best_cost) best = (a + b) / 2, best_cost = refined;
  return {best_cost, 1 + std::exp(best), best <= kFirst || best >= kLast};
}

}  // namespace

double rdp(std::span<const GaussianPhase> run, Adjacency adjacency, double order) {
  validate(run);
  validate_order(order);
  double sum = 0;
  for (const GaussianPhase& phase : run)
    if (phase.steps > 0)
      sum += static_cast<double>(phase.steps) * one_step_rdp(phase, adjacency, order);
  return sum;
}

double epsilon_from_rdp(double rdp, double order, double delta) {
  return std::max(0.0,
                  rdp + std::log1p(-1 / order) - (std::log(delta) + std::log(order)) / (order - 1));
}

RdpEpsilon rdp_epsilon(std::span<const GaussianPhase> run, Adjacency adjacency, double delta) {
  validate(run);
  validate_delta(delta);
  if (total_steps(run) == 0) return {};
  if (delta == 0) return {kInfinity, kInfinity, true};
  const BestOrder best = best_order(
      [&](double order) { return epsilon_from_rdp(rdp(run, adjacency, order), order, delta); });
  return {best.cost, best.order, best.at_edge};
}

RdpEpsilon rdp_epsilon(std::span<const GaussianPhase> run, Adjacency adjacency, double delta,
                       std::span<const double> orders) {
  validate(run);
  validate_delta(delta);
  if (total_steps(run) == 0) return {};
  if (orders.empty())
    throw UsageError(kContradiction, "orders is empty; at least one order is needed.",
                     "Give orders above 1, or none to have the best one searched.");
  RdpEpsilon best{kInfinity, orders.front(), true};
  for (const double order : orders) {
    const double epsilon = epsilon_from_rdp(rdp(run, adjacency, order), order, delta);
    if (epsilon < best.epsilon) best = {epsilon, order, false};
  }
  best.order_at_edge = best.order == *std::min_element(orders.begin(), orders.end()) ||
                       best.order == *std::max_element(orders.begin(), orders.end());
  return best;
}

RdpDelta rdp_delta(std::span<const GaussianPhase> run, Adjacency adjacency, double epsilon) {
  validate(run);
  validate_epsilon(epsilon);
  if (total_steps(run) == 0) return {};
  const BestOrder best = best_order(
      [&](double order) { return log_delta_from_rdp(rdp(run, adjacency, order), order, epsilon); });
  return {std::min(1.0, std::exp(best.cost)), best.order, best.at_edge};
}

}  // namespace dpvi
