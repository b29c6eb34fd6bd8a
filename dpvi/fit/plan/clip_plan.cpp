#include <dpvi/fit/plan/clip_plan.hpp>

#include <algorithm>
#include <cmath>

namespace dpvi {
namespace {

constexpr double kCoordinateSize = 0.25;
// Standard deviation of the logarithm of a bound derived from mock records: if they resemble the
// real ones, and if nothing indicates that they do.
constexpr double kTrustedSpread = 0.4, kUntrustedSpread = 1.5;
// Clipping half of the records, as is often advised, biases the coefficients of a logistic
// regression by half their size. At this unclipped share the bias is small compared with the noise.
constexpr double kFixedShare = 0.95;
// Limits of the share of records that an adaptive bound shortens.
constexpr double kMostShortened = 0.30, kLeastShortened = 1e-6;
// Every gradient is scaled to the length of a typical one.
constexpr double kNormalisedShare = 0.5;

// The noise of the run compared with the whole table.
double relative_noise(std::span<const GaussianPhase> run, const ClippingSize& records) {
  double information = 0.0;
  for (const GaussianPhase& phase : run) {
    const double steps = static_cast<double>(std::max<std::int64_t>(1, phase.steps));
    information += steps * std::pow(phase.sampling_rate / phase.noise_multiplier, 2);
  }
  return std::sqrt(static_cast<double>(records.dimension) / information) / records.rows;
}

double share_around_zero(double rho, std::size_t dimension) {
  const double factor = std::clamp(static_cast<double>(dimension), 4.0, 12.0);
  return 1.0 - std::clamp(factor * rho, kLeastShortened, kMostShortened);
}

// Conditionally unbiased clipping costs information and no bias, and a smaller bound has less
// noise. With A the share of the information that clipping keeps, the variance of the estimate is
// proportional to (noise + variance of clipped gradients) / A^2. The share is the one with the
// least variance on mock records. It tends to 1 as the noise vanishes.
double share_by_law(double rho, const ClippingSize& records, const MockStudy& study) {
  constexpr double kShares[] = {
      1.0 - kLeastShortened, .999, .995, .99, .98, .95, .9, .8, .7, .6, .5, .4, .3, .2, .1, .05};
  // A smaller share must be better by this factor: if the law is wrong, shortening moves the
  // result.
  constexpr double kClearlyBetter = 0.99;
  double best = kShares[0], least = 0.0;
  for (const double share : kShares) {
    const double bound = study.outcome_norm_quantile(share);
    double all = 0.0, kept = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < study.outcome_norms.size(); ++i) {
      const double factor = std::min(1.0, bound / study.outcome_norms[i]);
      all += study.outcome_squares[i];
      kept += study.outcome_squares[i] * factor;
      squares += study.outcome_squares[i] * factor * factor;
    }
    const double mean =
        squares / static_cast<double>(std::max<std::size_t>(1, study.outcome_norms.size()));
    const double gain = all > 0.0 ? kept / all : 1.0;
    const double variance = (rho * rho * bound * bound + mean / records.rows) / (gain * gain);
    if (share != kShares[0] && !(variance < kClearlyBetter * least)) continue;
    least = variance;
    best = share;
  }
  return best;
}

}  // namespace

std::string_view name_of(ClipMode mode) {
  switch (mode) {
    case ClipMode::fixed:
      return "fixed";
    case ClipMode::adaptive:
      return "adaptive";
    case ClipMode::normalised:
      return "normalised";
  }
  return "";
}

std::string_view name_of(ClipCentre centre) { return centre == ClipCentre::law ? "law" : "zero"; }

double ClipPlan::gradient_share() const {
  return coordinate ? std::sqrt(1.0 - coordinate->size * coordinate->size) : 1.0;
}

ClipPlan plan_clipping(ClipMode mode, std::span<const double> given, const MockStudy& study,
                       std::span<const GaussianPhase> run, const ClippingSize& records,
                       ClipCentre centre) {
  ClipPlan plan;
  plan.mode = mode;
  plan.centre = centre;
  plan.rows = records.rows;
  double share = kFixedShare;
  if (mode == ClipMode::normalised) {
    plan.rule = ClipRule::normalise;
    share = kNormalisedShare;
  } else if (mode == ClipMode::adaptive) {
    const double rho = relative_noise(run, records);
    share = centre == ClipCentre::law ? share_by_law(rho, records, study)
                                      : share_around_zero(rho, records.dimension);
    plan.first_spread = study.unknown_columns.empty() ? kTrustedSpread : kUntrustedSpread;
    plan.coordinate = ClipCoordinate{.size = kCoordinateSize, .unshortened_share = share};
  }
  const double norm =
      centre == ClipCentre::law ? study.outcome_norm_quantile(share) : study.norm_quantile(share);
  plan.forecast_bound = norm / plan.gradient_share();
  plan.first_bound = given.empty() ? plan.forecast_bound : given.front();
  if (mode == ClipMode::adaptive) return plan;
  plan.forecast_bound = given.empty() ? plan.first_bound : given.back();
  return plan;
}

}  // namespace dpvi
