#pragma once

#include <vector>

#include "reproduce_plan.hpp"

namespace dpvi::cli {

// Draws or samples from the posterior of one run, as program outputs. Used for pictures.
struct KeptPosterior {
  std::vector<std::vector<double>> outputs;  // from RecordModel::output_values
};

// Executes the planned number of runs of every point, with whole runs in parallel. Fills in the
// scores and the comparison with the targets. Returns a posterior from the first run of each point.
// Throws if interrupted.
std::vector<KeptPosterior> run_points(std::vector<PlannedPoint>& points, int threads, bool quiet);

}  // namespace dpvi::cli
