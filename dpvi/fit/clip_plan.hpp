#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <dpvi/fit/mock_study.hpp>
#include <dpvi/gradient/clip_settings.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

enum class ClipMode {
  fixed,      // one bound for the whole run
  adaptive,   // the bound follows a share of the records, by releases alone
  normalised  // every gradient is brought near the bound
};

inline constexpr ClipMode kClipModes[] = {ClipMode::adaptive, ClipMode::fixed,
                                          ClipMode::normalised};

std::string_view name_of(ClipMode mode);

// How a run clips, decided before any record is read.
struct ClipPlan {
  ClipMode mode = ClipMode::fixed;
  double first_bound = 1.0;
  double first_spread = 1.5;  // of its logarithm, where it is adapted
  ClipRule rule = ClipRule::shorten;
  std::optional<ClipCoordinate> coordinate;  // of an adaptive bound
  double rows = 1.0;                         // records, declared or a guess
  double forecast_bound = 1.0;               // where made-up records would lead the bound

  // Of a clip bound, what a gradient may fill.
  double gradient_share() const;
};

// What clipping has to do with.
struct ClippedRecords {
  double rows = 1.0;          // declared, or a guess
  std::size_t dimension = 1;  // of what is clipped
};

// The bound is the first given one, or a quantile of made-up records' gradient norms. The target
// share of unshortened records is 1 - k rho within [.70, .99], where rho = sqrt(D / sum of q^2 T /
// s^2 over the phases) / rows compares the run's noise with the whole table: the more noise, the
// more it pays to shorten. k is the dimension D within [4, 12]: among few parameters each one shows
// the bend (experiments/defaults).
ClipPlan plan_clipping(ClipMode mode, std::span<const double> given, const MockStudy& study,
                       std::span<const GaussianPhase> run, const ClippedRecords& records);

}  // namespace dpvi
