#pragma once

#include <cstdint>
#include <optional>

#include <dpvi/privacy/clipped_sum.hpp>
#include <dpvi/privacy/released.hpp>
#include <dpvi/privacy/unclipped_sum.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// Replaces a mechanism in a run without a privacy claim, such as a non-private baseline or a figure
// that must be reproducible.
//
// Guarantee: its releases are stamped not private, with a noise multiplier of 0 and so an infinite
// cost. Anyone can subtract seeded noise, so it counts for nothing.
class UnprotectedMechanism final {
 public:
  static constexpr Protection kProtection = Protection::none;

  // Adds no noise.
  UnprotectedMechanism() = default;

  // Adds noise of the size that a GaussianMechanism adds. Anyone who knows the seed can reproduce
  // it.
  explicit UnprotectedMechanism(SeededGenerator generator) : generator_(generator) {}

  // Throws InternalError if the sum was consumed before.
  Released release(ClippedSum&& sum);

  // Releases the sum unchanged. No clipping bounded it, so its origin's clip bound is infinite.
  Released release(UnclippedSum&& sum);

 private:
  std::optional<SeededGenerator> generator_;
  std::uint64_t releases_ = 0;
};

}  // namespace dpvi
