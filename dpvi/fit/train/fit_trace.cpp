#include <dpvi/fit/train/fit_trace.hpp>

#include <algorithm>
#include <cmath>

namespace dpvi {
namespace {

// Noise alone occasionally gives an R-hat of this size in runs of default length.
constexpr double kLargestRHat = 1.5;

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

// R-hat compares the variances of the two halves of a run, so each batch needs at least two
// iterates.
constexpr std::int64_t kFewestIterates = 2 * IterateTrace::kBatches;

Optimisation status_of(const IterateTrace& locations, const FitTrace& trace) {
  const bool finite = std::ranges::all_of(locations.batch_means(), all_finite);
  const bool too_large = std::ranges::any_of(trace.mean_sd, [](double x) { return std::isinf(x); });
  if (!finite || too_large) return Optimisation::diverged;
  const bool undefined = std::ranges::any_of(trace.r_hat, [](double x) { return std::isnan(x); });
  if (undefined || locations.iterates() < kFewestIterates) return Optimisation::unknown;
  const bool drifts = std::ranges::any_of(trace.r_hat, [](double x) { return x > kLargestRHat; });
  return drifts ? Optimisation::drifting : Optimisation::stationary;
}

}  // namespace

std::string_view name_of(Optimisation optimisation) {
  switch (optimisation) {
    case Optimisation::stationary:
      return "stationary";
    case Optimisation::drifting:
      return "drifting";
    case Optimisation::diverged:
      return "diverged";
    case Optimisation::unknown:
      return "unknown";
  }
  return "";
}

FitTrace trace_of(const IterateTrace& locations, std::span<const double> result) {
  FitTrace trace{.optimisation = Optimisation::unknown,
                 .r_hat = locations.r_hat(),
                 .effective_size = locations.effective_size(),
                 .mean_sd = locations.mean_sd(),
                 .drift = locations.drift()};
  trace.optimisation = all_finite(result) ? status_of(locations, trace) : Optimisation::diverged;
  return trace;
}

}  // namespace dpvi
