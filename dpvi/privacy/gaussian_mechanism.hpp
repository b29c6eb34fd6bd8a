#pragma once

#include <cstdint>

#include <dpvi/privacy/clipped_sum.hpp>
#include <dpvi/privacy/released.hpp>
#include <dpvi/random/secure_generator.hpp>

namespace dpvi {

// Makes a clipped sum public by adding, once, an independent round(N(0, 2^48)) to each integer.
//
// Guarantee: no noise is ever used twice. The mechanism owns its generator, and nobody else has the
// key. It counts its releases itself and takes the noise of each release from a separate stream. A
// release consumes the sum.
class GaussianMechanism final {
 public:
  static constexpr Protection kProtection = Protection::gaussian_noise;

  // Creates a generator with a new key from the kernel.
  GaussianMechanism() = default;

  // Takes over a generator, which must not have supplied noise before.
  explicit GaussianMechanism(SecureGenerator&& generator);

  GaussianMechanism(GaussianMechanism&&) = delete;

  // Throws InternalError if the sum was consumed before.
  Released release(ClippedSum&& sum);

  // Counts a release that an earlier attempt of the same run has made. Its stream is never used.
  void skip_release() { ++releases_; }

 private:
  SecureGenerator generator_;
  std::uint64_t releases_ = 0;
};

}  // namespace dpvi
