// refused: no matching (function|constructor)|cannot convert
// Guarantee: noise never comes from a key that ranks share.
#include <utility>

#include <dpvi/privacy/gaussian_mechanism.hpp>
#include <dpvi/random/batch_generator.hpp>

void outsider(dpvi::BatchGenerator& shared) {
#ifndef CONTROL
  dpvi::GaussianMechanism mechanism(std::move(shared));
#endif
  static_cast<void>(shared);
}
