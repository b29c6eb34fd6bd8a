// refused: invalid initialization|cannot convert|no known conversion|no viable conversion|no matching member function
#include <dpvi/random/poisson_sampling.hpp>

void outsider(const dpvi::PoissonSampler& sampler, const dpvi::SeededGenerator& seeded) {
#ifndef CONTROL
  sampler.sample(seeded, 1);
#endif
  static_cast<void>(sampler);
  static_cast<void>(seeded);
}
