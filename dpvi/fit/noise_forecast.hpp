#pragma once

#include <vector>

#include <dpvi/fit/mock_study.hpp>

namespace dpvi {

struct NoiseForecast {
  std::vector<double> noise_sd;    // of each entry of the released mean, due to noise and sampling
  std::vector<double> clip_shift;  // how far clipping may move it
  std::vector<double> posterior_sd;  // what a fit without noise would be unsure of
  std::vector<double> prior_sd;      // what is known without any record; infinite if flat
};

// What fixes the noise of a run's mean.
struct ForecastRun {
  double clip_bound = 1.0;
  double gradient_bound = 1.0;  // what the clip bound leaves to the gradient
  double rows = 1.0;            // records, of made-up length
  double averaged_steps = 1.0;
  // Means over the averaged steps, with noise multiplier s and sampling rate q.
  double noise_square = 0.0;  // (s / q)^2
  double sampling = 0.0;      // (1 - q) / q
};

// Each step's estimate of the summed gradient, by the study's coordinates, carries noise of
// standard deviation C s / q and the chance of which records it samples; averaged over the steps
// and divided by the curvature of all rows it becomes the noise of the mean. Clipping takes from
// the sum what made-up gradients have beyond the bound: were it all to pull one way in each
// coordinate, the mean would move by the shift. A forecast, not a bound: it is as good as made-up
// records are like the real ones.
NoiseForecast forecast_noise(const MockStudy& study, const ForecastRun& run);

}  // namespace dpvi
