#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include <dpvi/data/binding.hpp>
#include <dpvi/fit/plan/count_plan.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/fit/trace/mock_population_internal.hpp>

namespace dpvi {

// A release of counts, read as a measurement: of how many records fall into each bin.
struct CountMeasurement {
  Eigen::VectorXd counts;
  double noise_sd = 1.0;        // of each count
  double records = 1.0;         // in the table, as declared or guessed
  double records_spread = 0.7;  // sd of its logarithm
};

// What counts say about exchangeable components.
struct CountedStart {
  std::vector<double> theta;
  double records = 1.0;
  // True if other components, far from these, explain the counts almost as well.
  bool ambiguous = false;
};

// The share of the records of a population that fall into each bin.
Eigen::VectorXd bin_shares(const MockPopulation& population, const OutcomeBins& bins);

// Components that explain the counts, by climbing from several points. All of it is post-processing
// of the release. `model` is in theta, as is the plan.
CountedStart start_from_counts(const RecordModel& model, const Binding& binding,
                               const CountPlan& plan, const CountMeasurement& measured);

// How far counts are from what a law predicts: chi^2 and its number of terms, with the number of
// records that fits best. `shares` are those of `simulated` records.
struct CountMisfit {
  double chi_square = 0.0;
  double terms = 0.0;
};
CountMisfit misfit_of(const CountMeasurement& measured, const Eigen::VectorXd& shares,
                      double simulated);

}  // namespace dpvi
