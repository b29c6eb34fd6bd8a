#include <dpvi/fit/train/fit_status.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace dpvi {
namespace {

// Limits, in total standard deviations of a parameter.
constexpr double kLargestDrift = 5.0;
constexpr double kLargestMove = 3.0;
constexpr double kLargestHiddenMove = 1.5;
constexpr double kLargestClipBias = 0.5;
// The uncertainty of a fit by measurements includes what clipping may have left; it must not
// consist of it.
constexpr double kLargestIncludedBias = 0.9;
// In prior standard deviations: how far from the prior's centre an answer is absurd, and how little
// may be learnt beyond the prior.
constexpr double kAbsurd = 20.0;
constexpr double kLittleLearnt = 0.8;
// Of measurements: the smallest share of the declared records that must be usable, and the largest
// excess of the residuals over what noise explains, as a share and in standard deviations.
constexpr double kFewRecords = 0.2;
constexpr double kModelMisfit = 0.5, kLargestDeviation = 5.0;
constexpr double kLargestRHat = 1.05;

class Judge {
 public:
  explicit Judge(const FitEvidence& evidence) : evidence_(evidence) {}

  FitVerdict verdict() {
    if (evidence_.optimisation == Optimisation::diverged || !evidence_.outputs_usable) {
      add_reason(FitStatus::failed, "the run diverged; its numbers are meaningless", {});
      return std::move(verdict_);
    }
    if (evidence_.optimisation == Optimisation::unknown) {
      add_reason(FitStatus::failed, "too few steps to tell whether the run had settled", {});
      return std::move(verdict_);
    }
    judge_measurements();
    judge_location();
    judge_bias();
    judge_information();
    return std::move(verdict_);
  }

 private:
  // A test of one parameter: a list's entry in total standard deviations. NaN counts as too large.
  auto exceeds(const std::vector<double>& list, double limit) const {
    return [this, &list, limit](std::size_t i) {
      return !list.empty() && !(std::abs(list[i]) <= limit * evidence_.total_sd[i]);
    };
  }

  void judge_measurements() {
    if (evidence_.chains_r_hat && !(*evidence_.chains_r_hat <= kLargestRHat)) {
      add_reason(FitStatus::failed, "the sampler did not converge", {});
    }
    if (!evidence_.measured) return;
    const MeasurementEvidence& measured = *evidence_.measured;
    if (measured.records + 2.0 * measured.records_sd < kFewRecords * measured.declared) {
      add_reason(FitStatus::failed, "few or no records were usable", {});
    }
    if (measured.counts) judge_counts(*measured.counts);
    const double chance = kLargestDeviation * std::sqrt(2.0 / std::max(1.0, measured.residuals));
    if (measured.residual_square > 1.0 + kModelMisfit + chance) {
      add_reason(FitStatus::failed, "the releases contradict each other under this model", {});
    }
  }

  // Counts of the same records in several histograms have errors in common.
  void judge_counts(const CountEvidence& counts) {
    constexpr double kDeviations = 3.0;
    const double sd = std::sqrt(2.0 * counts.terms * counts.histograms);
    if (!(counts.chi_square <= counts.terms + kDeviations * sd)) {
      add_reason(FitStatus::failed, "components do not explain how often outcomes occur", {});
    }
    if (counts.ambiguous) {
      add_reason(FitStatus::failed, "components not identified at this budget", {});
    }
  }

  void judge_location() {
    add_if_any(FitStatus::failed, "farther from the prior than 20 of its standard deviations",
               [this](std::size_t i) {
                 return evidence_.prior &&
                        std::abs(evidence_.location[i] - evidence_.prior->centre[i]) >
                            kAbsurd * evidence_.prior->sd[i];
               });
    add_if_any(FitStatus::failed, "the run had not settled: the iterates still moved",
               exceeds(evidence_.drift, kLargestDrift));
    add_if_any(FitStatus::failed, "the run had not settled: the releases point elsewhere",
               exceeds(evidence_.remaining_move, kLargestMove));
    add_if_any(FitStatus::failed,
               "privacy noise hides the differences between groups from which it follows",
               exceeds(evidence_.hidden_move, kLargestHiddenMove));
  }

  void judge_bias() {
    if (evidence_.measured) {
      add_if_any(FitStatus::biased, "most of its sd is what clipping may have moved",
                 exceeds(evidence_.clip_bias, kLargestIncludedBias));
      return;
    }
    add_if_any(FitStatus::biased, "clipping may have moved it by more than half its sd",
               exceeds(evidence_.clip_bias, kLargestClipBias));
  }

  void judge_information() {
    add_if_any(FitStatus::weak, "the answer is little more than the prior", [this](std::size_t i) {
      return evidence_.prior && evidence_.total_sd[i] > kLittleLearnt * evidence_.prior->sd[i];
    });
  }

  template <class Test>
  void add_if_any(FitStatus status, const char* words, const Test& test) {
    std::vector<std::string> parameters;
    for (std::size_t i = 0; i < evidence_.names.size(); ++i) {
      if (test(i)) parameters.push_back(evidence_.names[i]);
    }
    if (!parameters.empty()) add_reason(status, words, std::move(parameters));
  }

  void add_reason(FitStatus status, const char* words, std::vector<std::string> parameters) {
    verdict_.status = std::max(verdict_.status, status);
    verdict_.reasons.push_back({status, words, std::move(parameters)});
  }

  const FitEvidence& evidence_;
  FitVerdict verdict_;
};

}  // namespace

std::string_view name_of(FitStatus status) {
  switch (status) {
    case FitStatus::ok:
      return "ok";
    case FitStatus::weak:
      return "weak";
    case FitStatus::biased:
      return "biased";
    case FitStatus::failed:
      return "failed";
  }
  return "";
}

FitVerdict judge_fit(const FitEvidence& evidence) { return Judge(evidence).verdict(); }

}  // namespace dpvi
