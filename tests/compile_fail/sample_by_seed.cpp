// refused: invalid initialization|cannot convert|no (known|viable) conversion|no matching member
#include <dpvi/random/poisson_sampling.hpp>

void outsider(const dpvi::PoissonSampler& sampler, const dpvi::SeededGenerator& seeded) {
#ifndef CONTROL
  sampler.sample(seeded, 1);
#endif
  static_cast<void>(sampler);
  static_cast<void>(seeded);
}
