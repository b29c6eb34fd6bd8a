#pragma once

#include <vector>

#include "reproduce_plan.hpp"

namespace dpvi::cli {

// Draws or samples from one run's posterior, as the program reports them; for pictures.
struct KeptPosterior {
  std::vector<std::vector<double>> outputs;  // of RecordModel::output_values
};

// Runs every point as often as planned, whole runs side by side, and fills in what they came to and
// whether that is what was expected. Gives back a posterior of the first run of each point. Throws
// if a person stops it.
std::vector<KeptPosterior> run_points(std::vector<PlannedPoint>& points, int threads, bool quiet);

}  // namespace dpvi::cli
