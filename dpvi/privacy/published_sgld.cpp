#include <dpvi/privacy/published_sgld.hpp>

#include <cmath>

namespace dpvi {

double published_sgld_noise_multiplier(const SgldRun& run) {
  const double logs = std::log(5.0 * run.passes / (2.0 * run.sampling_rate * run.delta)) *
                      std::log(2.0 / run.delta);
  return std::sqrt(128.0 * run.passes * run.sampling_rate * logs) / run.epsilon;
}

}  // namespace dpvi
