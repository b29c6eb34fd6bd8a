#include <dpvi/privacy/loss_composition.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <dpvi/privacy/geometric_weights.hpp>
#include <dpvi/privacy/loss_spectrum.hpp>

namespace dpvi {
namespace {

using Complex = std::complex<double>;

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
}  // namespace

ComposedLoss::ComposedLoss(std::span<const ComposedSteps> phases, const CompositionGrid& grid)
    : spacing_(grid.spacing()), tilt_(grid.tilt), far_tilt_(grid.far_tilt) {
  for (const ComposedSteps& phase : phases) {
    offset_ += phase.steps * grid_offset(phase.pair);
    loss_error_ += 4 * kUnit * phase.steps * std::abs(grid_offset(phase.pair));
  }
  first_ = static_cast<std::int64_t>(std::floor((grid.window_start - offset_) / spacing_));
  const std::size_t length = grid.length;
  const double start = loss_at(first_);
  const double end = loss_at(first_ + static_cast<std::int64_t>(length) - 1);
  loss_error_ += 4 * kUnit * (std::abs(start) + std::abs(end) + std::abs(offset_));
  log_scale_ = -tilt_ * start;
  double scale_error = std::abs(log_scale_);
  double log_beyond = -(grid.far_tilt - grid.tilt) * end;
  double log_below = grid.low_tilt * start;
  double largest = 0;
  std::int64_t origin = 0;

  LossSpectrum spectrum(length);
  for (const ComposedSteps& phase : phases) {
    const TiltedStep step = make_tilted_step(phase, grid);
    spectrum.multiply(step, phase.steps);
    origin += static_cast<std::int64_t>(phase.steps) * step.origin;
    log_scale_ += phase.steps * phase.log_moment;
    scale_error += phase.steps * std::abs(phase.log_moment);
    log_beyond += phase.steps * step.far_log_moment;
    log_below += phase.steps * step.low_log_moment;
    largest += phase.steps * step.largest_loss;
    infinite_ += phase.steps * step.infinite;
  }
  LossSpectrum::Masses composed = spectrum.masses();
  masses_ = std::move(composed.values);
  mass_error_ = composed.error;
  first_place_ = place_on_circle(first_ - origin, length);

  const double h = spacing_;
  round_off_ = mass_error_ * std::exp(-tilt_ * h) * -std::expm1(-h) /
               (std::expm1(-tilt_ * h) * std::expm1(-(tilt_ + 1) * h));
  relative_error_ =
      8 * kUnit * (static_cast<double>(length) + scale_error + 16) + 2 * (tilt_ + 1) * loss_error_;
  const double width = end - start;
  const bool all_inside = largest + loss_error_ < end + spacing_ / 2;
  far_fold_ = all_inside ? 0 : std::exp(log_scale_ + log_beyond) * 1.01;
  upper_fold_ = far_fold_ * std::exp(-tilt_ * width);
  lower_fold_ = 1.01 * std::exp(std::min(0.0, log_below)) / std::expm1(tilt_ * width);
}

double ComposedLoss::loss_at(std::int64_t index) const {
  return offset_ + static_cast<double>(index) * spacing_;
}

double ComposedLoss::lower_fold(std::int64_t index) const {
  const double over_start = static_cast<double>(index - first_) * spacing_;
  return lower_fold_ + far_fold_ * std::exp(-far_tilt_ * std::max(0.0, over_start));
}

// Delta at a grid point j and, within the cell above it, at j + t:
//   delta = above - expm1(t) * shrunk_tail
// in units of e^log_scale, where `above` sums the masses over j times 1 - e^(j - loss) and
// `shrunk_tail` the same masses times e^(j - loss). Built from the top by additions of positive
// numbers only.
struct ComposedLoss::End {
  double above = 0;
  double shrunk_tail = 0;

  void step_down(double mass_at_old_point, double shrink, double step) {
    const double tail = shrunk_tail + mass_at_old_point;
    above += tail * step;
    shrunk_tail = tail * shrink;
  }

  // The t at which delta falls to `target`.
  double crossing(double target) const { return std::log1p((above - target) / shrunk_tail); }
};

// Error of sums over a grid point of weight `weight`, where each mass counts 1 - e^(point - loss),
// and where each counts fully.
double ComposedLoss::round_off(double weight) const { return round_off_ * weight; }

double ComposedLoss::round_off_at(double epsilon) const {
  const double over_start = epsilon - loss_at(first_);
  return std::exp(log_scale_) * round_off(std::exp(-tilt_ * over_start));
}

double ComposedLoss::full_round_off(double weight) const {
  return mass_error_ * weight / -std::expm1(-tilt_ * spacing_);
}

template <class Visit>
void ComposedLoss::walk_down(const Visit& visit) const {
  const double shrink = std::exp(-spacing_);
  const double step = -std::expm1(-spacing_);
  const auto length = static_cast<std::int64_t>(masses_.size());
  GeometricWeights weights(-tilt_ * spacing_, 0);
  End upper, lower;
  std::int64_t place = first_place_ == 0 ? length - 1 : first_place_ - 1;
  for (std::int64_t j = length - 1; j > 0; --j) {
    const Complex mass = masses_[static_cast<std::size_t>(place)] * weights(j);
    upper.step_down(mass.real(), shrink, step);
    lower.step_down(mass.imag(), shrink, step);
    if (--place < 0) place += length;
    if (!visit(first_ + j - 1, upper, lower, weights(j - 1))) return;
  }
}

Bracket ComposedLoss::epsilon(double delta) const {
  const double scale = std::exp(log_scale_);
  const double upper_target = (delta / (1 + relative_error_) - infinite_ - upper_fold_) / scale;
  const auto length = static_cast<std::int64_t>(masses_.size());
  constexpr double kNotFound = -kInfinity;
  Bracket found{kNotFound, kNotFound};
  walk_down([&](std::int64_t j, const End& upper, const End& lower, double weight) {
    if (loss_at(j + 1) < 0) return false;
    const double error = round_off(weight);
    const auto solve = [&](const End& end, double target) {
      const double t = std::clamp(end.crossing(target), 0.0, spacing_);
      return loss_at(j) + t;
    };
    if (found.upper == kNotFound && !(upper.above + error <= upper_target)) {
      const bool at_top = j == first_ + length - 2;
      found.upper = at_top ? kInfinity : solve(upper, upper_target - error);
      if (std::isnan(found.upper)) found.upper = kInfinity;
    }
    if (found.lower == kNotFound && scale * (lower.above - error) > delta) {
      const double target = (delta + lower_fold(j)) / (1 - relative_error_) / scale + error;
      if (lower.above >= target) found.lower = solve(lower, target);
    }
    return found.lower == kNotFound || found.upper == kNotFound;
  });
  if (found.upper == kNotFound) found.upper = loss_at(first_);
  return {std::max(0.0, found.lower - loss_error_), std::max(0.0, found.upper + loss_error_)};
}

Bracket ComposedLoss::delta(double epsilon) const {
  const double scale = std::exp(log_scale_);
  const double inside = std::max(epsilon, loss_at(first_));
  const auto cell = static_cast<std::int64_t>(std::floor((inside - offset_) / spacing_));
  Bracket found{0, 1};
  walk_down([&](std::int64_t j, const End& upper, const End& lower, double weight) {
    if (j > std::max(cell, first_)) return true;
    const double wanted = inside - loss_at(j);
    const double t = std::clamp(wanted, 0.0, spacing_);
    const double error = round_off(weight);
    const auto value = [&](const End& end) { return end.above - std::expm1(t) * end.shrunk_tail; };
    found.upper = scale * (value(upper) + error) * (1 + relative_error_) + infinite_ + upper_fold_;
    if (wanted > 2 * spacing_) return false;  // beyond the window: only the upper end has a claim
    // Below the window the lower end still counts the masses inside it.
    const double below = -std::expm1(epsilon - inside);
    const double counted = value(lower) + below * std::exp(t) * lower.shrunk_tail;
    const double doubt = error + below * full_round_off(weight);
    found.lower = scale * (counted - doubt) * (1 - relative_error_) - lower_fold(j);
    return false;
  });
  if (!(found.upper <= 1)) found.upper = 1;
  if (!(found.lower >= 0)) found.lower = 0;
  // Delta is convex in e^epsilon and 1 at e^epsilon = 0.
  if (epsilon < inside) found.upper = 1 - std::exp(epsilon - inside) * (1 - found.upper);
  return found;
}

}  // namespace dpvi
