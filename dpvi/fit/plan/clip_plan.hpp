#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <dpvi/fit/mock/mock_study.hpp>
#include <dpvi/gradient/clip_settings.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

enum class ClipMode {
  fixed,      // one bound for the whole run or for each phase
  adaptive,   // the bound tracks a quantile of the record norms, using releases only
  normalised  // every gradient is scaled to a norm near the bound
};

inline constexpr ClipMode kClipModes[] = {ClipMode::adaptive, ClipMode::fixed,
                                          ClipMode::normalised};

std::string_view name_of(ClipMode mode);

// The point around which gradients are clipped.
enum class ClipCentre {
  law,  // conditionally unbiased: the mean under the law of the record's outcome stays zero
  zero
};

inline constexpr ClipCentre kClipCentres[] = {ClipCentre::law, ClipCentre::zero};

std::string_view name_of(ClipCentre centre);

// Clipping settings of a run, fixed before any record is read.
struct ClipPlan {
  ClipMode mode = ClipMode::fixed;
  double first_bound = 1.0;
  double first_spread = 1.5;  // sd of its logarithm, if adaptive
  ClipRule rule = ClipRule::shorten;
  std::optional<ClipCoordinate> coordinate;  // if adaptive
  double rows = 1.0;                         // number of records, declared or guessed
  double forecast_bound = 1.0;               // bound that mock records would lead to
  ClipCentre centre = ClipCentre::zero;
  std::string centre_reason = "the model has no mock records";

  // Returns the share of the clip bound that is available to the gradient.
  double gradient_share() const;
};

// Public size of the clipping problem.
struct ClippingSize {
  double rows = 1.0;          // declared or guessed
  std::size_t dimension = 1;  // of the clipped vector
};

// The bound is the first one given, or a quantile of the gradient norms of mock records. An
// adaptive bound leaves a target share of the records unshortened. rho = sqrt(D / sum of q^2 T /
// s^2 over the phases) / rows compares the noise of the run with the whole table: more noise
// favours more clipping. Around zero the share is 1 - k rho, at least .70. k is the dimension D
// within [4, 12]: with few parameters each one shows the clipping bias (experiments/defaults).
// Conditionally unbiased, the share is the one with which mock records forecast the least variance,
// at least .05. As epsilon and the table grow, both tend to 1, and the bias of clipping to 0.
ClipPlan plan_clipping(ClipMode mode, std::span<const double> given, const MockStudy& study,
                       std::span<const GaussianPhase> run, const ClippingSize& records,
                       ClipCentre centre = ClipCentre::zero);

}  // namespace dpvi
