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

FitStatus status_of(const IterateTrace& locations, const FitTrace& trace) {
  const bool finite = std::ranges::all_of(locations.batch_means(), all_finite);
  const bool too_large = std::ranges::any_of(trace.mean_sd, [](double x) { return std::isinf(x); });
  if (!finite || too_large) return FitStatus::diverged;
  const bool undefined = std::ranges::any_of(trace.r_hat, [](double x) { return std::isnan(x); });
  if (undefined || locations.iterates() < kFewestIterates) return FitStatus::unknown;
  const bool drifts = std::ranges::any_of(trace.r_hat, [](double x) { return x > kLargestRHat; });
  return drifts ? FitStatus::drifting : FitStatus::stationary;
}

double length(std::span<const double> values) {
  double squares = 0.0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares);
}

std::vector<double> scatter_of(const std::vector<std::vector<double>>& batches,
                               const OutputFunction& outputs_at) {
  std::vector<std::vector<double>> outputs;
  for (const std::vector<double>& batch : batches) outputs.push_back(outputs_at(batch));
  std::vector<double> sds, column(outputs.size());
  for (std::size_t i = 0; i < outputs[0].size(); ++i) {
    for (std::size_t batch = 0; batch < outputs.size(); ++batch) column[batch] = outputs[batch][i];
    sds.push_back(sd_of_mean(column));
  }
  return sds;
}

// Standard deviation of each output: half the difference between the outputs one standard deviation
// to either side of the location, combined over the columns of the factor.
std::vector<double> spread_of(std::span<const double> location, std::span<const double> factor,
                              const OutputFunction& outputs_at) {
  const std::size_t size = location.size();
  std::vector<double> squares(outputs_at(location).size(), 0.0);
  std::vector<double> above(size), below(size);
  for (std::size_t column = 0; column < size; ++column) {
    for (std::size_t i = 0; i < size; ++i) {
      above[i] = location[i] + factor[i * size + column];
      below[i] = location[i] - factor[i * size + column];
    }
    const std::vector<double> high = outputs_at(above), low = outputs_at(below);
    for (std::size_t i = 0; i < squares.size(); ++i) {
      squares[i] += 0.25 * (high[i] - low[i]) * (high[i] - low[i]);
    }
  }
  for (double& square : squares) square = std::sqrt(square);
  return squares;
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
    case FitStatus::unknown:
      return "unknown";
  }
  return "";
}

FitTrace trace_of(const IterateTrace& locations, std::span<const double> result,
                  std::span<const double> location_factor, const OutputFunction& outputs_at) {
  FitTrace trace{.status = FitStatus::unknown,
                 .r_hat = locations.r_hat(),
                 .effective_size = locations.effective_size(),
                 .mean_sd = locations.mean_sd(),
                 .output_sd = {}};
  trace.status = all_finite(result) ? status_of(locations, trace) : FitStatus::diverged;
  if (location_factor.empty() || trace.status == FitStatus::diverged) {
    trace.output_sd = scatter_of(locations.batch_means(), outputs_at);
    return trace;
  }
  const std::size_t size = trace.mean_sd.size();
  for (std::size_t i = 0; i < size; ++i) {
    trace.mean_sd[i] = length(location_factor.subspan(i * size, size));
  }
  trace.output_sd = spread_of(result.first(size), location_factor, outputs_at);
  return trace;
}

}  // namespace dpvi
