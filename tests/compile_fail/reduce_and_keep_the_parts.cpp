// refused: cannot bind rvalue reference|cannot bind to lvalue|no matching
// Guarantee: only GridClipper makes one, only a Collective reads its integers, and a Collective
// consumes it.
#include <utility>

#include <dpvi/privacy/collective.hpp>

void outsider(dpvi::Collective& collective, dpvi::PartialSum& part) {
#ifndef CONTROL
  collective.reduce(part);
#endif
  collective.reduce(std::move(part));
}
