#pragma once

#include <vector>

#include <dpvi/fit/mock_study.hpp>

namespace dpvi {

struct NoiseForecast {
  std::vector<double> noise_sd;      // of each entry of the released mean, due to the noise
  std::vector<double> posterior_sd;  // what a fit without noise would be unsure of
  std::vector<double> prior_sd;      // what is known without any record; infinite if flat
};

// What fixes the noise of a run's mean.
struct ForecastRun {
  double clip_bound = 1.0;
  double noise_multiplier = 1.0;
  double sampling_rate = 1.0;
  double averaged_steps = 1.0;
  double rows = 1.0;
};

// The mean over the averaged steps carries, in each entry of the summed gradient by the study's
// coordinates, noise of standard deviation C s / (q sqrt(averaged steps)); divided by the curvature
// of all rows it becomes the noise of the mean (full inverse Hessian). A forecast, not a bound: it
// is as good as made-up records are like the real ones, and it leaves out what clipping bends.
NoiseForecast forecast_noise(const MockStudy& study, const ForecastRun& run);

}  // namespace dpvi
