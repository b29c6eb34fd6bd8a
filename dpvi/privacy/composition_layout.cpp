#include <dpvi/privacy/composition_layout.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace dpvi {
namespace {

// Share of delta that truncation and aliasing may cost.
constexpr double kSpill = 1e-8;
// e^loss must stay within double precision.
constexpr double kLargestLoss = 600;
constexpr double kSmallestDelta = 1e-280;

// Returns z with Phi(-z) <= mass.
double tail_point(double mass) { return std::sqrt(2 * std::max(0.0, -std::log(2 * mass))); }

// The minimiser between the two ends of `f`, which decreases and then increases in ln x.
template <class Function>
double argmin_log(const Function& f, double first, double last, int rounds) {
  constexpr double kGolden = 0.6180339887498949;
  double a = std::log(first), b = std::log(last);
  double c = b - kGolden * (b - a), d = a + kGolden * (b - a);
  double fc = f(std::exp(c)), fd = f(std::exp(d));
  for (int i = 0; i < rounds; ++i) {
    if (fc <= fd) {
      b = d, d = c, fd = fc;
      c = b - kGolden * (b - a), fc = f(std::exp(c));
    } else {
      a = c, c = d, fc = fd;
      d = a + kGolden * (b - a), fd = f(std::exp(d));
    }
  }
  return std::exp((a + b) / 2);
}

}  // namespace

void CompositionLayout::describe(std::span<const GaussianPhase> run, Direction direction,
                                 double delta) {
  steps_.clear();
  moments_.clear();
  delta_ = std::max(delta, kSmallestDelta);
  feasible_ = true;
  largest_loss_ = widest_range_ = largest_total_ = 0;
  step_count_ = static_cast<double>(total_steps(run));
  for (const GaussianPhase& phase : run) {
    const DominatingPair<double> pair(direction, phase.sampling_rate, phase.noise_multiplier);
    const double top_mass = kSpill * delta_ / step_count_ / 2;
    double last = pair.noise * tail_point(std::min(0.5, top_mass / (1 - std::min(pair.up, 0.5))));
    if (pair.up > top_mass) last = std::max(last, 1 + pair.noise * tail_point(top_mass / pair.up));
    const double first = -pair.noise * tail_point(1e-14 / step_count_);
    const LossRange range{std::max(pair.loss(first), -kLargestLoss), pair.loss(last)};
    largest_loss_ = std::max(largest_loss_, range.largest);
    widest_range_ = std::max(widest_range_, range.largest - range.least);
    largest_total_ += static_cast<double>(phase.steps) * range.largest;
    steps_.push_back({pair, range, 0, static_cast<double>(phase.steps)});
    moments_.emplace_back(pair, first, last);
  }
  deviation_ = std::sqrt(total(0).variance);
  if (!(deviation_ > 1e-150) || largest_loss_ > kLargestLoss) feasible_ = false;
  low_tilts_.clear();
  low_log_moments_.clear();
  for (double tilt = 0.5 / deviation_; tilt < 100 / deviation_; tilt *= 1.5) {
    low_tilts_.push_back(tilt);
    low_log_moments_.push_back(total_log_moment(-tilt));
  }
}

Cumulants CompositionLayout::total(double tilt) const {
  Cumulants sum;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Cumulants one = moments_[i].at(tilt);
    sum.value += steps_[i].steps * one.value;
    sum.mean += steps_[i].steps * one.mean;
    sum.variance += steps_[i].steps * one.variance;
  }
  return sum;
}

// Includes the effect of rounding losses to the grid: about h^2 / 12 on the mean and on half the
// variance.
double CompositionLayout::total_log_moment(double tilt) const {
  double sum = step_count_ * tilt * (tilt + 1) * spacing_ * spacing_ / 12;
  for (std::size_t i = 0; i < steps_.size(); ++i)
    sum += steps_[i].steps * moments_[i].log_moment(tilt);
  return sum;
}

// The tilt of the best Chernoff bound on epsilon. It centres the tilted loss near the answer.
double CompositionLayout::least_chernoff_tilt() const {
  const double log_inverse_delta = -std::log(delta_);
  const double normal = std::sqrt(2 * log_inverse_delta) / deviation_;
  const double heavy = log_inverse_delta / largest_total_;
  return argmin_log(
      [&](double tilt) { return (total_log_moment(tilt) + log_inverse_delta) / tilt; },
      0.1 * std::min(normal, heavy), 100 * normal, 48);
}

// The tilt that centres the loss at epsilon, or one over the deviation if epsilon is in the bulk.
double CompositionLayout::tilt_centred_at(double epsilon) const {
  const double least = 1 / deviation_;
  if (epsilon < total(0).mean + deviation_) return least;
  const double most = std::max(2 * least, kLargestLoss / largest_loss_);
  double low = 1e-6 * least, high = 2 * least;
  while (total(high).mean < epsilon && high < most) low = high, high *= 2;
  for (int i = 0; i < 40; ++i) {
    const double middle = std::sqrt(low * high);
    (total(middle).mean < epsilon ? low : high) = middle;
  }
  return low;
}

struct CompositionLayout::Window {
  double far_tilt = 0;
  double low_tilt = 0;
  double start = 0;
  double length = 0;
};

// The shortest window for a tilt. The cyclic transform folds losses beyond and below the window
// onto losses above epsilon; neither part may weigh more than kSpill * delta.
CompositionLayout::Window CompositionLayout::window_for(double tilt, const Bracket& epsilon) const {
  const double spill = std::log(kSpill * delta_);
  const auto beyond = [&](double further) {
    const double far = tilt + further;
    return (total_log_moment(far) - far * epsilon.lower - spill) / further;
  };
  // e^(far_tilt * loss) must not overflow.
  const double most = std::max(2 * tilt, std::min(100 * tilt, kLargestLoss / largest_loss_));
  const double further = argmin_log(beyond, 0.01 * tilt, most, 16);

  Window window;
  window.far_tilt = tilt + further;
  // Losses above `top` do not matter.
  const double top =
      std::min((total_log_moment(window.far_tilt) - spill) / window.far_tilt, largest_total_);
  const double needed = std::min(beyond(further), largest_total_ - epsilon.lower);
  window.length = std::max({needed, top - epsilon.lower, 1e-3 * deviation_});
  const auto below = [&](double length) {
    double least = 0;
    for (std::size_t i = 0; i < low_tilts_.size(); ++i) {
      const double bound = low_log_moments_[i] + low_tilts_[i] * (top - length + epsilon.width());
      if (bound < least || i == 0) window.low_tilt = low_tilts_[i];
      least = std::min(least, bound);
    }
    return least - tilt * length;
  };
  if (below(window.length) > spill) {
    double low = window.length, high = -spill / tilt;
    for (int i = 0; i < 20; ++i) {
      const double middle = (low + high) / 2;
      (below(middle) > spill ? low : high) = middle;
    }
    window.length = high;
    below(high);
  }
  // Keeps one step's grid from outgrowing the window's.
  window.length = std::max(1.02 * window.length, widest_range_ / 4);
  window.start = top - window.length;
  return window;
}

void CompositionLayout::focus(const Bracket& epsilon, std::size_t length) {
  spacing_ = 0;
  for (int round = 0; round < 3; ++round) {
    choose_window(epsilon);
    spacing_ = grid_.window / static_cast<double>(length);
  }
  grid_.length = length;
  if (!(grid_.window > 0 && std::isfinite(grid_.window))) feasible_ = false;
}

void CompositionLayout::choose_window(const Bracket& epsilon) {
  // A smaller tilt may need a shorter window, but it gives round-off more weight.
  const auto amplification = [&](double tilt) {
    const double largest_weight = tilt * std::log(tilt) - (tilt + 1) * std::log1p(tilt);
    return total_log_moment(tilt) - tilt * epsilon.lower + largest_weight;
  };
  const double allowed = amplification(largest_tilt_) + allowance_;
  double shortest = std::numeric_limits<double>::infinity();
  for (double tilt = largest_tilt_; tilt > largest_tilt_ / 40; tilt *= 0.7) {
    if (amplification(tilt) > allowed) break;
    const Window window = window_for(tilt, epsilon);
    if (!(window.length < shortest)) continue;
    shortest = window.length;
    grid_ = {tilt,          window.far_tilt, window.low_tilt, window.start,
             window.length, epsilon.lower,   epsilon.upper,   0};
  }
  for (std::size_t i = 0; i < steps_.size(); ++i)
    steps_[i].log_moment = moments_[i].log_moment(grid_.tilt);
}

// Rounding to a grid of spacing h raises epsilon by about h^2 (tilt + 1) / 12 per step.
void CompositionLayout::guess_length(double epsilon) {
  spacing_ = 0;
  choose_window({0.9 * epsilon, 1.1 * epsilon});
  const double allowed = 0.02 * std::max(epsilon, 0.01);
  const double spacing = std::sqrt(12 * allowed / (step_count_ * (largest_tilt_ + 1)));
  rough_length_ = grid_.window / spacing;
}

CompositionLayout CompositionLayout::for_delta(std::span<const GaussianPhase> run,
                                               Direction direction, double delta) {
  CompositionLayout plan;
  plan.describe(run, direction, delta);
  if (!plan.feasible_) return plan;
  const double tilt = plan.largest_tilt_ = plan.least_chernoff_tilt();
  // Saddle-point approximation of delta, solved for epsilon.
  const Cumulants tilted = plan.total(tilt);
  const double width = tilt * (tilt + 1) * std::sqrt(2 * std::numbers::pi * tilted.variance);
  plan.largest_guess_ = (tilted.value - std::log(plan.delta_)) / tilt;
  plan.epsilon_guess_ = plan.largest_guess_ - std::max(0.0, std::log(width)) / tilt;
  plan.guess_deviation_ = std::sqrt(tilted.variance);
  plan.guess_length(std::max(0.0, plan.epsilon_guess_));
  return plan;
}

CompositionLayout CompositionLayout::for_epsilon(std::span<const GaussianPhase> run,
                                                 Direction direction, double epsilon) {
  CompositionLayout plan;
  double delta = 1e-30;
  // The ranges depend on the order of magnitude of delta, which is the unknown.
  for (int round = 0; round < 2; ++round) {
    plan.describe(run, direction, delta);
    if (!plan.feasible_) return plan;
    plan.largest_tilt_ = plan.tilt_centred_at(epsilon);
    const Cumulants tilted = plan.total(plan.largest_tilt_);
    const double width = plan.largest_tilt_ * (plan.largest_tilt_ + 1) *
                         std::sqrt(2 * std::numbers::pi * tilted.variance);
    delta =
        std::exp(std::min(0.0, tilted.value - plan.largest_tilt_ * epsilon - std::log1p(width)));
  }
  plan.delta_ = std::max(delta, kSmallestDelta);
  plan.guess_length(epsilon);
  return plan;
}

void CompositionLayout::learn(double round_off_share) {
  if (!(round_off_share > 0 && std::isfinite(round_off_share))) return;
  // Round-off grows faster than the tilt's amplification alone predicts.
  const double room = -std::log(round_off_share);
  allowance_ = std::clamp(allowance_ + (room > 0 ? room / 2 : room - 1), 0.0, 25.0);
}

ComposedLoss CompositionLayout::compose() const { return ComposedLoss(steps_, grid_); }

}  // namespace dpvi
