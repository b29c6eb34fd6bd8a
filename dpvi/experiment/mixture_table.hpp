#pragma once

#include <cstdint>

#include <dpvi/experiment/experiment_table.hpp>

namespace dpvi {

// Points of the plane, drawn from five spherical Gaussians of equal weight and variance, with
// centres (0, 0) and (+-2, +-2).
struct MixtureData {
  std::size_t training_rows = 2000;
  std::size_t test_rows = 10000;
  double variance = 0.5;
  std::uint64_t seed = 1;
};

// Equal settings give the same points on every machine. The columns are x.1 and x.2, without
// declarations.
ExperimentTable mixture_table(const MixtureData& data);

// Mean log density of the test rows under the Gaussians they were drawn from.
double true_log_density(const ExperimentTable& table, double variance);

}  // namespace dpvi
