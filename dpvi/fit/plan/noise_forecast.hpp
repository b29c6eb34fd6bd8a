#pragma once

#include <vector>

#include <dpvi/fit/mock/mock_study.hpp>

namespace dpvi {

struct NoiseForecast {
  std::vector<double> noise_sd;      // sd of the released mean due to noise and sampling
  std::vector<double> clip_shift;    // possible bias of the mean due to clipping
  std::vector<double> posterior_sd;  // sd of the posterior of a fit without noise
  std::vector<double> prior_sd;      // sd before seeing any record; infinite if flat
};

// Parameters of a run that determine the noise of its mean.
struct ForecastRun {
  double clip_bound = 1.0;
  double gradient_bound = 1.0;  // share of the clip bound available to the gradient
  double rows = 1.0;            // number of records with as many rows as mock records
  bool by_law = false;          // clipping is conditionally unbiased
  double averaged_steps = 1.0;
  // Means over the averaged steps, with noise multiplier s and sampling rate q.
  double noise_square = 0.0;  // (s / q)^2
  double sampling = 0.0;      // (1 - q) / q
};

// Forecasts noise and clipping bias of the mean. Each step estimates the summed gradient in the
// study's coordinates. The estimate has noise of standard deviation C s / q and the variance of
// record sampling. Averaged over the steps and divided by the curvature of all rows, this gives the
// noise of the mean.
//
// Clipping removes the part of mock gradients beyond the bound. If all of it pointed the same way
// in each coordinate, the mean would move by `clip_shift`. Conditionally unbiased clipping moves it
// less, and only if the law of the outcome is wrong. The result is a forecast, not a bound: it is
// as good as mock records resemble real ones.
NoiseForecast forecast_noise(const MockStudy& study, const ForecastRun& run);

}  // namespace dpvi
