// refused: no matching (function|constructor)
#include <dpvi/privacy/gaussian_mechanism.hpp>
#include <dpvi/random/seeded_generator.hpp>

void outsider() {
  dpvi::SeededGenerator seeded(1);
#ifndef CONTROL
  dpvi::GaussianMechanism mechanism(seeded);
#endif
  static_cast<void>(seeded);
}
