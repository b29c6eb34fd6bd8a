#pragma once

#include <string>
#include <vector>

#include <dpvi/eval/simulation_result.hpp>

namespace dpvi {

// A number, or all numbers of a variable that has many.
struct SummarisedNumber {
  std::string name;  // "effect[1]", or "effect (200 numbers)"
  FitScore score;    // of several numbers: medians, and the mean coverage
};
std::vector<SummarisedNumber> summarised_numbers(const Simulation& simulation,
                                                 const SimulatedCell& cell);

// All numbers of a cell together: the median width and the mean coverage.
struct CellSummary {
  double width_of_prior = 0.0;
  double coverage = 0.0;
  double coverage_se = 0.0;  // as if the numbers of a fit were one: an upper bound
};
CellSummary summary_of(const SimulatedCell& cell);

}  // namespace dpvi
