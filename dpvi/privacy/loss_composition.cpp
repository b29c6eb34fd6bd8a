#include <dpvi/privacy/loss_composition.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace dpvi {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

ComposedLoss::ComposedLoss(std::span<const ComposedSteps> phases, const CompositionGrid& grid)
    : spacing_(grid.spacing()),
      tilt_(grid.tilt),
      far_tilt_(grid.far_tilt),
      low_tilt_(grid.low_tilt),
      largest_epsilon_(grid.largest_epsilon) {
  double scale_error = 0;
  std::int64_t origin = 0;
  LossSpectrum spectrum(grid.length);
  for (const ComposedSteps& phase : phases) {
    const TiltedStep step = make_tilted_step(phase, grid);
    spectrum.multiply(step, phase.steps);
    origin += static_cast<std::int64_t>(phase.steps) * step.origin;
    offset_ += phase.steps * grid_offset(phase.pair);
    loss_error_ += 4 * kUnit * phase.steps * std::abs(grid_offset(phase.pair));
    log_scale_ += phase.steps * phase.log_moment;
    scale_error += phase.steps * std::abs(phase.log_moment);
    log_far_moment_ += phase.steps * (phase.log_moment + step.far_log_moment);
    log_low_moment_ += phase.steps * step.low_log_moment;
    largest_ += phase.steps * step.largest_loss;
    infinite_ += phase.steps * step.infinite;
  }
  const auto length = static_cast<std::int64_t>(grid.length);
  first_ = static_cast<std::int64_t>(std::floor((grid.window_start - offset_) / spacing_));
  first_place_ = place_on_circle(first_ - origin, grid.length);
  const double counted = grid.window_start + grid.window - grid.least_epsilon;
  reach_ = std::clamp(static_cast<std::int64_t>(counted / spacing_), std::int64_t{2}, length);
  deltas_ = spectrum.deltas(grid, static_cast<std::size_t>(reach_));

  const double largest_loss =
      std::max(std::abs(loss_at(first_)), std::abs(loss_at(first_ + length)));
  loss_error_ += 4 * kUnit * (2 * largest_loss + std::abs(offset_));
  relative_error_ =
      16 * kUnit * (scale_error + tilt_ * largest_loss + 16) + 2 * (tilt_ + 1) * loss_error_;
}

double ComposedLoss::loss_at(std::int64_t index) const {
  return offset_ + static_cast<double>(index) * spacing_;
}

// Delta at a grid point of the window. Chernoff bounds cover the errors of the cyclic transform.
// Losses beyond `reach` are missing from the sum, so a bound on them is added to the upper end.
// Losses a whole turn above, or below `bottom`, are folded into the sum, so bounds on them are
// subtracted from the lower end.
Bracket ComposedLoss::delta_at(std::int64_t index) const {
  const auto length = static_cast<std::int64_t>(deltas_.values.size());
  const double loss = loss_at(index);
  const double top = loss_at(index + reach_ - 1);
  const double turn = spacing_ * static_cast<double>(length);
  const double bottom = loss_at(index + reach_ - length);
  const bool all_counted = largest_ + loss_error_ < top + spacing_ / 2;
  const double missing = all_counted ? 0 : 1.01 * std::exp(log_far_moment_ - far_tilt_ * top);
  const double above =
      largest_ + loss_error_ < loss + turn - spacing_ / 2
          ? 0
          : 1.01 * std::exp(log_far_moment_ - far_tilt_ * loss - (far_tilt_ - tilt_) * turn);
  const double below = 1.01 * std::exp(std::min(0.0, log_low_moment_ + low_tilt_ * bottom)) /
                       std::expm1(tilt_ * turn);

  const auto& tilted =
      deltas_.values[static_cast<std::size_t>((first_place_ + (index - first_)) % length)];
  const double scale = std::exp(log_scale_ - tilt_ * loss);
  const double upper =
      scale * (tilted.real() + deltas_.error) * (1 + relative_error_) + missing + infinite_;
  const double lower =
      scale * (tilted.imag() - deltas_.error) * (1 - relative_error_) - above - below;
  return {lower > 0 ? lower : 0, upper < 1 ? upper : 1};
}

// Within a cell both ends of delta are linear in e^epsilon. Returns the epsilon at which an end
// falls to the target. The end must be above the target at `index` and not above it at the next
// point.
double ComposedLoss::crossing(std::int64_t index, double target, double Bracket::*end) const {
  const double here = delta_at(index).*end, there = delta_at(index + 1).*end;
  const double share = (here - target) / (here - there);
  return loss_at(index) + std::log1p(share * std::expm1(spacing_));
}

Bracket ComposedLoss::epsilon(double delta) const {
  const auto length = static_cast<std::int64_t>(deltas_.values.size());
  const auto zero = static_cast<std::int64_t>(std::floor((-offset_ - loss_error_) / spacing_));
  const auto highest = static_cast<std::int64_t>((largest_epsilon_ - offset_) / spacing_) + 1;
  const std::int64_t bottom = std::max(first_, zero);
  const std::int64_t top = std::min(first_ + length - 1, highest);
  if (top <= bottom || !(delta_at(top).upper <= delta)) return {0, kInfinity};

  // The last point from `low` (above delta) to `high` (not above) at which an end is above delta.
  // The point found and the next one are both evaluated, whatever round-off did to the points
  // between.
  const auto last_above = [&](std::int64_t low, std::int64_t high, double Bracket::*end) {
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (delta_at(middle).*end > delta ? low : high) = middle;
    }
    return low;
  };
  Bracket found{0, loss_at(bottom)};
  std::int64_t high = bottom + 1;
  if (delta_at(bottom).upper <= delta) {
    if (bottom == zero) return {0, 0};
  } else {
    const std::int64_t index = last_above(bottom, top, &Bracket::upper);
    found.upper = crossing(index, delta, &Bracket::upper);
    high = index + 1;
  }
  // The lower end is tight near the upper one and may be lost far below it.
  for (std::int64_t step = 1, low = high - 1; low >= bottom; step *= 2, low = high - step) {
    if (delta_at(low).lower > delta) {
      found.lower = crossing(last_above(low, high, &Bracket::lower), delta, &Bracket::lower);
      break;
    }
    high = low;
  }
  return {std::max(0.0, found.lower - loss_error_), std::max(0.0, found.upper + loss_error_)};
}

Bracket ComposedLoss::delta(double epsilon) const {
  const auto length = static_cast<std::int64_t>(deltas_.values.size());
  const auto index = static_cast<std::int64_t>(std::floor((epsilon - offset_) / spacing_));
  if (index >= first_ + length - 1) return {0, delta_at(first_ + length - 1).upper};
  if (index < first_) {
    // Delta decreases with epsilon, is convex in e^epsilon and equals 1 at e^epsilon = 0.
    const Bracket start = delta_at(first_);
    return {start.lower, 1 - std::exp(epsilon - loss_at(first_)) * (1 - start.upper)};
  }
  const Bracket here = delta_at(index), there = delta_at(index + 1);
  const double t = std::clamp(epsilon - loss_at(index), 0.0, spacing_);
  const double share = std::expm1(t) / std::expm1(spacing_);
  return {here.lower + share * (there.lower - here.lower),
          here.upper + share * (there.upper - here.upper)};
}

double ComposedLoss::round_off_at(double epsilon) const {
  return std::exp(log_scale_ - tilt_ * epsilon) * deltas_.error;
}

}  // namespace dpvi
