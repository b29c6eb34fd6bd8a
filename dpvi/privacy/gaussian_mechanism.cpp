#include <dpvi/privacy/gaussian_mechanism.hpp>

#include <memory>
#include <utility>

#include <dpvi/privacy/boundary_internal.hpp>
#include <dpvi/random/rounded_gaussian.hpp>

namespace dpvi {

static_assert(NoiseGrid::kNoiseStd == std::int64_t{1} << kNoiseBits);
static_assert(64 * NoiseGrid::kNoiseStd >= kNoiseLimit, "NoiseGrid leaves room for the noise");

GaussianMechanism::GaussianMechanism(SecureGenerator&& generator)
    : generator_(std::move(generator)) {}

Released GaussianMechanism::release(ClippedSum&& sum) {
  ClippedSum taken = std::move(sum);
  ClippedSum::Storage& noisy = taken.storage();
  // The counter increases before the stream is used: whatever happens next, no later release uses
  // it.
  const std::uint64_t step = releases_++;
  SecureStream stream = generator_.stream({.label = StreamLabel::noise, .step = step});
  add_rounded_gaussian(stream, noisy.sums);
  const ReleaseOrigin origin{.protection = kProtection,
                             .step = step,
                             .noise_multiplier = noisy.grid.noise_multiplier(),
                             .clip_bound = noisy.clip_bound,
                             .dimension = noisy.sums.size()};
  return Released(std::make_shared<Released::Content>(origin, noisy.grid, noisy.sums));
}

}  // namespace dpvi
