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
constexpr double kMostShortened = 0.30, kMostShortenedByLaw = 0.50, kLeastShortened = 1e-6;
// Conditionally unbiased clipping may shorten many records: it costs a little information and no
// bias, and a smaller bound has less noise. But if the law is wrong, shortening moves the result.
constexpr double kLawFactor = 2.0;
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

double target_share(double rho, std::size_t dimension, ClipCentre centre) {
  const double shortened =
      centre == ClipCentre::law
          ? std::min(kLawFactor * std::sqrt(rho), kMostShortenedByLaw)
          : std::min(std::clamp(static_cast<double>(dimension), 4.0, 12.0) * rho, kMostShortened);
  return 1.0 - std::max(shortened, kLeastShortened);
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
    share = target_share(relative_noise(run, records), records.dimension, centre);
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
