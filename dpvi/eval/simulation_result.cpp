#include <dpvi/eval/simulation_result.hpp>

#include <numeric>

namespace dpvi {

std::size_t SimulatedCell::fits() const {
  return std::accumulate(statuses.begin(), statuses.end(), std::size_t{0});
}

}  // namespace dpvi
