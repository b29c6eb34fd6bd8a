#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <dpvi/eval/fit_score.hpp>
#include <dpvi/fit/train/fit_status.hpp>

namespace dpvi {

// One number of the parameters and transformed parameters.
struct SimulatedNumber {
  std::string name;          // with brackets
  std::string variable;      // its name without index
  double prior_sd = 0.0;     // infinite without a proper prior, like the width
  double prior_width = 0.0;  // of the central 90 % interval
};

// What fits with one setting, epsilon and number of rows were worth.
struct SimulatedCell {
  std::string settings;  // name; empty if there is only one
  double epsilon = 0.0;
  double delta = 0.0;
  std::int64_t rows = 0;
  std::string posterior;                                           // trace or variational
  std::string posterior_reason;                                    // in words
  std::array<std::size_t, std::size(kFitStatuses)> statuses = {};  // in the order of kFitStatuses
  std::map<std::string, std::size_t> reasons = {};                 // how many fits had each reason
  double seconds = 0.0;                                            // of processor time for a fit
  std::vector<FitScore> scores = {};  // by number; failed fits are left out

  std::size_t fits() const;
  std::size_t count(FitStatus status) const { return statuses[static_cast<std::size_t>(status)]; }
};

// A rehearsal of fits on mock tables. No private record was read.
struct Simulation {
  std::size_t tables = 0;
  std::uint64_t seed = 1;
  std::vector<std::string> outcomes;  // variables that were drawn by the program
  std::vector<std::string> notes;     // what the reader must know about the mock tables
  std::vector<SimulatedNumber> numbers;
  std::vector<SimulatedCell> cells;  // settings within epsilon within rows
};

}  // namespace dpvi
