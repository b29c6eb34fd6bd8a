#include <dpvi/fit/fit_trace.hpp>

#include <algorithm>
#include <cmath>

namespace dpvi {
namespace {

// The noise alone lets halves of a run of default length differ by this much now and then.
constexpr double kLargestRHat = 1.5;

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

// Neither R-hat nor spread can be told of a single batch.
FitStatus status_of(const IterateTrace& locations, const FitTrace& trace) {
  const bool finite = std::ranges::all_of(locations.batch_means(), all_finite);
  const bool too_large = std::ranges::any_of(trace.mean_sd, [](double x) { return std::isinf(x); });
  if (!finite || too_large) return FitStatus::diverged;
  const bool drifts = std::ranges::any_of(trace.r_hat, [](double x) { return x > kLargestRHat; });
  return drifts ? FitStatus::drifting : FitStatus::stationary;
}

}  // namespace

std::string_view name_of(FitStatus status) {
  switch (status) {
    case FitStatus::stationary:
      return "stationary";
    case FitStatus::drifting:
      return "drifting";
    case FitStatus::diverged:
      return "diverged";
  }
  return "";
}

FitTrace trace_of(const IterateTrace& locations, std::span<const double> result,
                  const OutputFunction& outputs_at) {
  FitTrace trace{.status = FitStatus::stationary,
                 .r_hat = locations.r_hat(),
                 .effective_size = locations.effective_size(),
                 .mean_sd = locations.mean_sd(),
                 .output_sd = {}};
  trace.status = all_finite(result) ? status_of(locations, trace) : FitStatus::diverged;
  std::vector<std::vector<double>> outputs;
  for (const std::vector<double>& batch : locations.batch_means()) {
    outputs.push_back(outputs_at(batch));
  }
  std::vector<double> column(outputs.size());
  for (std::size_t i = 0; i < outputs[0].size(); ++i) {
    for (std::size_t batch = 0; batch < outputs.size(); ++batch) column[batch] = outputs[batch][i];
    trace.output_sd.push_back(sd_of_mean(column));
  }
  return trace;
}

}  // namespace dpvi
