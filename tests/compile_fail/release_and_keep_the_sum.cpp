// refused: cannot bind rvalue reference|cannot bind to lvalue
// Guarantee: only a Collective makes one, only a mechanism reads its integers, and a mechanism
// consumes it.
#include <utility>

#include <dpvi/privacy/gaussian_mechanism.hpp>

void outsider(dpvi::GaussianMechanism& mechanism, dpvi::ClippedSum& sum) {
#ifndef CONTROL
  mechanism.release(sum);
#endif
  mechanism.release(std::move(sum));
}
