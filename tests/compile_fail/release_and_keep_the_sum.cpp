// refused: cannot bind rvalue reference|cannot bind to lvalue
#include <utility>

#include <dpvi/privacy/gaussian_mechanism.hpp>

void outsider(dpvi::GaussianMechanism& mechanism, dpvi::ClippedSum& sum) {
#ifndef CONTROL
  mechanism.release(sum);
#endif
  mechanism.release(std::move(sum));
}
