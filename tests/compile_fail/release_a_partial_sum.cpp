// refused: cannot convert|no known conversion|no matching|no viable conversion
#include <utility>

#include <dpvi/privacy/collective.hpp>
#include <dpvi/privacy/gaussian_mechanism.hpp>

void outsider(dpvi::GaussianMechanism& mechanism, dpvi::PartialSum& part) {
#ifndef CONTROL
  mechanism.release(std::move(part));
#else
  mechanism.release(dpvi::Collective().reduce(std::move(part)));
#endif
}
