#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace dpvi {

enum class Protection {
  gaussian_noise,  // secure noise with the stated multiplier
  none             // not private: the privacy cost is infinite
};

// Origin of a release. It is public and, apart from the sampler, all that an accountant needs to
// know about one step.
struct ReleaseOrigin {
  Protection protection;
  std::uint64_t step;  // counts the releases of one mechanism from 0
  double noise_multiplier;
  double clip_bound;
  std::size_t dimension;

  bool operator==(const ReleaseOrigin&) const = default;
};

// A noisy sum of clipped gradients, in gradient units. Anything computed from it alone has no
// further privacy cost.
//
// Guarantee: only a mechanism makes one. Its content is immutable and an incomplete type elsewhere;
// see ClippedSum for what that does not prevent.
class Released final {
 public:
  // Moving copies instead: there is no empty release.
  Released(const Released&) = default;
  Released& operator=(const Released&) = default;

  std::span<const double> values() const;
  const ReleaseOrigin& origin() const;
  bool is_private() const { return origin().protection != Protection::none; }

 private:
  friend class GaussianMechanism;
  friend class UnprotectedMechanism;
  friend class StepSeal;  // restores what a mechanism made
  struct Content;

  explicit Released(std::shared_ptr<const Content> content) noexcept;

  std::shared_ptr<const Content> content_;
};

}  // namespace dpvi
