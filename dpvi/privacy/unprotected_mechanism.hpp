#pragma once

#include <cstdint>
#include <optional>

#include <dpvi/privacy/clipped_sum.hpp>
#include <dpvi/privacy/released.hpp>
#include <dpvi/privacy/unclipped_sum.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// Stands where a mechanism stands in a run that makes no privacy claim: a non-private baseline, or
// a figure that must come out the same each time.
//
// Guarantee: what it gives out is stamped not private, with a noise multiplier of 0 and so an
// infinite cost. Seeded noise can be subtracted by anybody and counts for nothing.
class UnprotectedMechanism final {
 public:
  static constexpr Protection kProtection = Protection::none;

  // Adds no noise.
  UnprotectedMechanism() = default;

  // Adds noise of the size a GaussianMechanism would, which whoever knows the seed can repeat.
  explicit UnprotectedMechanism(SeededGenerator generator) : generator_(generator) {}

  // Throws InternalError if the sum has been used up before.
  Released release(ClippedSum&& sum);

  // As it is: no clipping has bounded it, so its origin's clip bound is infinite.
  Released release(UnclippedSum&& sum);

 private:
  std::optional<SeededGenerator> generator_;
  std::uint64_t releases_ = 0;
};

}  // namespace dpvi
