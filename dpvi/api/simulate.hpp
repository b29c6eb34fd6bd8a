#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/fit_request.hpp>
#include <dpvi/api/program.hpp>
#include <dpvi/base/all_cores.hpp>
#include <dpvi/eval/simulation_result.hpp>

namespace dpvi {

// Settings of a fit under a name. Epsilon and rows are those of the simulation.
struct NamedFit {
  std::string name;
  FitRequest request = {};
};

struct SimulationRequest {
  std::vector<double> epsilons;
  std::vector<std::int64_t> rows;
  std::vector<NamedFit> fits = {{}};
  // Number of mock tables. If not given, as many as fit into `seconds`, but at least a few.
  std::optional<std::int64_t> tables = std::nullopt;
  double seconds = 60.0;
  // Of the true parameters and the mock tables. The noise of the fits is always fresh.
  std::uint64_t seed = 1;
  int threads = all_cores();
  // Called by one thread at a time with the number of finished fits and the expected total;
  // returning false stops the simulation.
  std::function<bool(std::int64_t done, std::int64_t all)> progress = {};
};

inline constexpr std::int64_t kMostMockTables = 100'000;
inline constexpr std::int64_t kMostMockRows = 10'000'000;

// Rehearses private fits: draws parameters from the prior and mock records from the program, fits
// the records as fit() would under the same plan, and compares the results with the parameters. All
// settings and epsilons see the same mock tables. Reads no private record. Throws Error DP501 if
// `progress` stops it.
Simulation simulate(const Program& program, const SimulationRequest& request);

}  // namespace dpvi
