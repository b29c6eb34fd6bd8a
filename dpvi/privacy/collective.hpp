#pragma once

#include <vector>

#include <dpvi/privacy/clipped_sum.hpp>
#include <dpvi/privacy/partial_sum.hpp>

namespace dpvi {

// Reduces the partial sums of a step to one clipped sum, to which a mechanism then adds noise once.
// The workers are threads of this process.
//
// The sum cannot overflow: GridClipper checks its grid for the largest number of records in one
// step, over all workers, and leaves room for the noise.
//
// Guarantee: every partial sum counts exactly once, and the result does not depend on the number of
// parts, their order or how the records are divided among them.
class Collective final {
 public:
  // Consumes the parts, of which there must be at least one. Throws InternalError if they differ in
  // grid, clip bound or dimension, or if one was consumed before.
  ClippedSum reduce(std::vector<PartialSum>&& parts) const;
  // The same for a single worker.
  ClippedSum reduce(PartialSum&& part) const;
};

}  // namespace dpvi
