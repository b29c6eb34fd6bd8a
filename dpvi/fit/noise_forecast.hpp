#pragma once

#include <optional>
#include <span>
#include <vector>

#include <dpvi/fit/record_model.hpp>

namespace dpvi {

// What made-up records tell about the private ones before any of those is read: where a fit of the
// mock table ends, how large a record's gradient is there, and how much a record informs.
struct MockStudy {
  std::vector<double> theta;             // mode of the mock posterior
  double large_gradient_norm = 1.0;      // 95 % of records are not longer; the default clip bound
  std::vector<double> prior_precision;   // row-major, at theta
  std::vector<double> record_precision;  // row-major, mean over mock records
};

// Public: depends on the program, the binding's declared facts and a fixed seed alone.
MockStudy study_mock_records(const RecordModel& model, const Binding& binding);

struct NoiseForecast {
  std::vector<double> noise_sd;      // of each entry of the released mean, due to the noise
  std::vector<double> posterior_sd;  // what a fit without noise would be unsure of
};

// Around the averaged iterate the noise of a whole run has a standard deviation of
// clip_bound * s / (q sqrt(T)) in each entry of the summed gradient; dividing by the curvature of
// `rows` records gives that of the mean. A forecast, not a bound.
NoiseForecast forecast_noise(const MockStudy& study, double clip_bound, double gradient_noise,
                             double rows);

}  // namespace dpvi
