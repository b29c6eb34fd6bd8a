#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/fit/prepare/prior_draw.hpp>
#include <dpvi/fit/train/fit_trace.hpp>

namespace dpvi {

// Whether a result can be believed, from best to worst.
enum class FitStatus {
  ok,      // nothing speaks against it
  weak,    // for some parameters the answer is the prior's
  biased,  // clipping moved some parameters by more than their uncertainty says
  failed   // its numbers must not be used
};

inline constexpr FitStatus kFitStatuses[] = {FitStatus::ok, FitStatus::weak, FitStatus::biased,
                                             FitStatus::failed};

std::string_view name_of(FitStatus status);

struct StatusReason {
  FitStatus status;
  std::string words;
  std::vector<std::string> parameters;  // those concerned; empty for all
};

struct FitVerdict {
  FitStatus status = FitStatus::ok;   // the worst of the reasons
  std::vector<StatusReason> reasons;  // worst first
};

// How well a result explains the counts that the fit of exchangeable components started from.
struct CountEvidence {
  double chi_square = 0.0;
  double terms = 0.0;       // bins of all histograms
  double histograms = 1.0;  // of the same records
  bool ambiguous = false;   // other components explain the counts almost as well
};

// How well the measurements of a run agree with each other.
struct MeasurementEvidence {
  double residual_square = 0.0;  // mean square of the residuals, in units of their variance
  double residuals = 0.0;        // degrees of freedom
  double records = 0.0;          // usable ones, as measured
  double records_sd = 0.0;       // of that number
  double declared = 0.0;         // what was declared or guessed
  std::optional<CountEvidence> counts = std::nullopt;
};

// What the releases and the prior say about a fit. The lists have an entry for each unconstrained
// parameter; an empty list says nothing.
struct FitEvidence {
  std::vector<std::string> names;
  std::vector<double> location;
  std::vector<double> total_sd;
  Optimisation optimisation = Optimisation::unknown;
  std::vector<double> drift;           // of the averaged iterates
  std::vector<double> remaining_move;  // where the mean gradient points
  std::vector<double> hidden_move;     // what noise does through the prior
  std::vector<double> clip_bias;       // estimated shift due to clipping
  std::optional<PriorSpread> prior;
  std::optional<MeasurementEvidence> measured = std::nullopt;  // of a fit by measurements
  // Of draws that are Markov chains.
  std::optional<double> chains_r_hat = std::nullopt;
  bool outputs_usable = true;  // at the location, all parameters are finite and none is enormous
};

FitVerdict judge_fit(const FitEvidence& evidence);

}  // namespace dpvi
