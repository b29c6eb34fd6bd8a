#include <dpvi/privacy/release_log.hpp>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

void append(GaussianRun& run, const GaussianPhase& phase) {
  const bool same = !run.empty() && run.back().sampling_rate == phase.sampling_rate &&
                    run.back().noise_multiplier == phase.noise_multiplier;
  if (same) {
    run.back().steps += phase.steps;
  } else {
    run.push_back(phase);
  }
}

}  // namespace

void ReleaseLog::add(SamplingRate sampling_rate, const Released& released) {
  const ReleaseOrigin& origin = released.origin();
  if (origin.protection != Protection::gaussian_noise || origin.step != releases_) {
    throw InternalError(kInternal,
                        "a private step released something without noise or out of order.",
                        "Nothing was written. Please report this.");
  }
  append(run_, {sampling_rate.value(), origin.noise_multiplier, 1});
  ++releases_;
}

GaussianRun joined_phases(const GaussianRun& run) {
  GaussianRun joined;
  for (const GaussianPhase& phase : run) {
    if (phase.steps > 0) append(joined, phase);
  }
  return joined;
}

}  // namespace dpvi
