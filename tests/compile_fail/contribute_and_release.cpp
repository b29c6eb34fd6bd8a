// refused: invalid use of void expression
// A rank that is not the root obtains no sum that a mechanism would accept.
#include <utility>
#include <vector>

#include <dpvi/privacy/collective.hpp>
#include <dpvi/privacy/gaussian_mechanism.hpp>

void outsider(dpvi::Collective& collective, std::vector<dpvi::PartialSum>&& parts) {
#ifndef CONTROL
  dpvi::GaussianMechanism().release(collective.contribute(std::move(parts)));
#else
  collective.contribute(std::move(parts));
#endif
}
