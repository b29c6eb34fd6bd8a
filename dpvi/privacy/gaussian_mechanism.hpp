#pragma once

#include <cstdint>

#include <dpvi/privacy/clipped_sum.hpp>
#include <dpvi/privacy/released.hpp>
#include <dpvi/random/secure_generator.hpp>

namespace dpvi {

// Makes a clipped sum public by adding, once, an independent round(N(0, 2^48)) to each integer.
//
// Guarantee: no noise is ever used twice. The mechanism owns its generator, whose key nobody else
// has; it counts its releases itself and takes each one's noise from a stream of its own; and a
// release uses the sum up.
class GaussianMechanism final {
 public:
  static constexpr Protection kProtection = Protection::gaussian_noise;

  // A key of its own from the kernel.
  GaussianMechanism() = default;

  // Takes a generator over. It must not have served for noise before.
  explicit GaussianMechanism(SecureGenerator&& generator);

  GaussianMechanism(GaussianMechanism&&) = delete;

  // Throws InternalError if the sum has been used up before.
  Released release(ClippedSum&& sum);

 private:
  SecureGenerator generator_;
  std::uint64_t releases_ = 0;
};

}  // namespace dpvi
