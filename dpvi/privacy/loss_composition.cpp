#include <dpvi/privacy/loss_composition.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <dpvi/privacy/fourier.hpp>
#include <dpvi/privacy/geometric_weights.hpp>

namespace dpvi {
namespace {

using Complex = std::complex<double>;

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Spectrum entries below e^-kNegligible are dropped and counted as error.
constexpr double kNegligible = 80;

// One end's spectrum as it is multiplied up, in logarithms, for the non-negative frequencies.
struct Spectrum {
  std::vector<double> log_size;  // -infinity: negligible
  std::vector<double> angle;
  std::vector<double> spread;  // ln of how much larger the true size may be

  explicit Spectrum(std::size_t count) : log_size(count), angle(count), spread(count) {}

  // Multiplies entry k by value^steps, where value is off by at most `error`.
  void multiply(std::size_t k, Complex value, double error, double steps) {
    const double size = std::max(std::sqrt(std::norm(value)), 1e-150);
    if (size + error < std::exp(-kNegligible / steps)) {
      log_size[k] = -kInfinity;
      return;
    }
    log_size[k] += steps * std::log(size);
    angle[k] += steps * std::arg(value);
    const double doubt = error < size ? error / size : std::log1p(error / size);
    spread[k] += steps * (doubt + 8 * kUnit);
  }

  // The entry and a bound on its error.
  Complex entry(std::size_t k, double& error) const {
    if (log_size[k] == -kInfinity) {
      error = std::exp(-kNegligible);
      return 0;
    }
    const double wide = spread[k] + 64 * kUnit;
    error = std::exp(log_size[k] + wide) * -std::expm1(-wide);
    return std::polar(std::exp(log_size[k]), angle[k]);
  }
};

// One phase's lattice after tilting, folded onto the transform's circle.
struct TiltedStep {
  std::vector<Complex> circle;  // real part upper, imaginary part lower end
  double total = 0;             // of both ends
  double far_log_moment = 0;    // ln of the upper end's sum under the far tilt
  double low_log_moment = 0;    // ln of the lower end's sum under minus the low tilt
  double largest = 0;           // loss
  double infinite = 0;
};

TiltedStep tilted_step(const ComposedSteps& phase, const CompositionGrid& grid, double spacing) {
  const LossLattice lattice = make_loss_lattice(phase.pair, spacing, phase.range);
  TiltedStep step;
  step.circle.assign(grid.length, 0);
  step.infinite = lattice.infinite;
  const double offset = lattice.offset;
  const double further_tilt = grid.far_tilt - grid.tilt;
  GeometricWeights tilt(grid.tilt * spacing, grid.tilt * offset - phase.log_moment);
  GeometricWeights further(further_tilt * spacing, further_tilt * offset);
  GeometricWeights backward(-grid.low_tilt * spacing, -grid.low_tilt * offset);
  const auto length = static_cast<std::int64_t>(grid.length);
  std::int64_t place = ((lattice.first % length) + length) % length;
  double far_sum = 0, low_sum = 0;
  for (std::size_t i = 0; i < lattice.upper.size(); ++i) {
    const std::int64_t index = lattice.first + static_cast<std::int64_t>(i);
    const double weight = tilt(index);
    const double exponent =
        grid.tilt * (std::abs(spacing * static_cast<double>(index)) + std::abs(offset)) +
        std::abs(phase.log_moment);
    const double slack = kUnit * (16 + 4 * exponent);
    const double upper = lattice.upper[i] * weight * (1 + slack);
    const double lower = lattice.lower[i] * weight * std::max(0.0, 1 - slack);
    step.circle[static_cast<std::size_t>(place)] += Complex(upper, lower);
    step.total += upper + lower;
    far_sum += upper * further(index);
    low_sum += lattice.lower[i] * backward(index);
    if (++place == length) place = 0;
  }
  step.far_log_moment = std::log(far_sum);
  step.low_log_moment = std::log(low_sum);
  const auto last = lattice.first + static_cast<std::int64_t>(lattice.upper.size()) - 1;
  step.largest = offset + spacing * static_cast<double>(last);
  return step;
}

}  // namespace

ComposedLoss::ComposedLoss(std::span<const ComposedSteps> phases, const CompositionGrid& grid)
    : spacing_(grid.window / static_cast<double>(grid.length)),
      tilt_(grid.tilt),
      far_tilt_(grid.far_tilt) {
  for (const ComposedSteps& phase : phases) {
    offset_ += phase.steps * grid_offset(phase.pair);
    loss_error_ += 4 * kUnit * phase.steps * std::abs(grid_offset(phase.pair));
  }
  first_ = static_cast<std::int64_t>(std::floor((grid.window_start - offset_) / spacing_));
  const std::size_t length = grid.length;
  const std::size_t half = length / 2 + 1;
  Spectrum upper(half), lower(half);
  std::vector<Complex> transformed(length);
  const double start = loss_at(first_);
  const double end = loss_at(first_ + static_cast<std::int64_t>(length) - 1);
  loss_error_ += 4 * kUnit * (std::abs(start) + std::abs(end) + std::abs(offset_));
  log_scale_ = -tilt_ * start;
  double scale_error = std::abs(log_scale_);
  double log_beyond = -(grid.far_tilt - grid.tilt) * end;
  double log_below = grid.low_tilt * start;
  double largest = 0;

  for (const ComposedSteps& phase : phases) {
    const TiltedStep step = tilted_step(phase, grid, spacing_);
    fourier_transform(step.circle, transformed, false);
    const double error = fourier_error(length) * step.total;
    for (std::size_t k = 0; k < half; ++k) {
      const Complex z = transformed[k];
      const Complex mirrored = std::conj(transformed[(length - k) % length]);
      upper.multiply(k, 0.5 * (z + mirrored), error, phase.steps);
      lower.multiply(k, Complex(0, -0.5) * (z - mirrored), error, phase.steps);
    }
    log_scale_ += phase.steps * phase.log_moment;
    scale_error += phase.steps * std::abs(phase.log_moment);
    log_beyond += phase.steps * step.far_log_moment;
    log_below += phase.steps * step.low_log_moment;
    largest += phase.steps * step.largest;
    infinite_ += phase.steps * step.infinite;
  }

  double total_error = 0;
  for (std::size_t k = 0; k < half; ++k) {
    double upper_error = 0, lower_error = 0;
    const Complex u = upper.entry(k, upper_error);
    const Complex l = lower.entry(k, lower_error);
    transformed[k] = u + Complex(0, 1) * l;
    if (k != 0) transformed[length - k] = std::conj(u) + Complex(0, 1) * std::conj(l);
    total_error += upper_error + lower_error + fourier_error(length) * (std::abs(u) + std::abs(l));
  }
  masses_.resize(length);
  fourier_transform(transformed, masses_, true);
  const double scale = 1 / static_cast<double>(length);
  for (Complex& mass : masses_) mass *= scale;
  mass_error_ = 2 * total_error * scale * (1 + 1e-9);

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
double ComposedLoss::round_off(double weight) const {
  const double h = spacing_;
  return mass_error_ * weight * std::exp(-tilt_ * h) * -std::expm1(-h) /
         (std::expm1(-tilt_ * h) * std::expm1(-(tilt_ + 1) * h));
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
  std::int64_t place = (((first_ - 1) % length) + length) % length;
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
    if (scale * (lower.above - error) * (1 - relative_error_) > delta) {
      const double target = (delta + lower_fold(j)) / (1 - relative_error_) / scale + error;
      if (lower.above >= target) found.lower = solve(lower, target);
    }
    return found.lower == kNotFound;
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
