#include <dpvi/fit/train/location_uncertainty.hpp>

#include <cmath>

namespace dpvi {

LocationNoise location_uncertainty(const LoopOutcome& outcome, const FitTrace& trace) {
  const bool diverged = trace.optimisation == Optimisation::diverged;
  if (!outcome.location_factor.empty() && !diverged) {
    return LocationNoise::of_factor(outcome.location_factor, trace.mean_sd.size());
  }
  std::vector<double> sds = trace.mean_sd;
  for (std::size_t i = 0; i < outcome.location_sds.size() && !diverged; ++i) {
    sds[i] = std::fmax(sds[i], outcome.location_sds[i]);  // the scatter may be NaN
  }
  return LocationNoise::of_sds(std::move(sds));
}

}  // namespace dpvi
