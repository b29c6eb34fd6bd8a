#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <dpvi/base/all_cores.hpp>
#include <dpvi/fit/plan/fit_settings.hpp>
#include <dpvi/fit/plan/privacy_plan.hpp>
#include <dpvi/fit/prepare/unopened_records.hpp>
#include <dpvi/fit/train/fitted_posterior.hpp>

namespace dpvi {

// settings.hpp describes every setting in a sentence.

// What a private fit shall do. `privacy` and `inspect_first` determine the guarantee; `settings`
// and `init` change the accuracy alone.
struct FitRequest {
  PrivacyRequest privacy = {};
  FitSettings settings = {};  // `initial` is taken from `init`, `rows` from the schema if not given
  std::string init = "mock";
  InspectFirst inspect_first = InspectFirst::no;
};

// What a fit without privacy protection shall do.
struct UnprotectedFitRequest {
  FitSettings settings = {};
  std::string init = "mock";
  InspectFirst inspect_first = InspectFirst::no;
  std::int64_t steps = 3000;
  // If not given, a step samples about `batch` records, or all of a smaller table.
  std::optional<double> sampling_rate = std::nullopt;
  double batch = 20000.0;
  std::uint64_t seed = 1;
};

// How a fit is carried out. Nothing here changes its result.
struct FitExecution {
  int threads = all_cores();
  FitProgress progress = {};
  // Receives a time breakdown if set. It is for the curator only: times depend on the batch sizes.
  std::function<void(const LoopTimes&)> profile = {};
  // Steps of earlier attempts at the same charged run; set by a fit that a ledger counts.
  StepStore* recorded = nullptr;
};

}  // namespace dpvi
