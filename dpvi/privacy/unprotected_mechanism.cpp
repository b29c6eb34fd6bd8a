#include <dpvi/privacy/unprotected_mechanism.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <dpvi/privacy/boundary_internal.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {

Released UnprotectedMechanism::release(ClippedSum&& sum) {
  ClippedSum taken = std::move(sum);
  ClippedSum::Storage& storage = taken.storage();
  const std::uint64_t step = releases_++;
  if (generator_) {
    SeededStream stream = generator_->stream({.label = StreamLabel::noise, .step = step});
    constexpr double kStd = static_cast<double>(NoiseGrid::kNoiseStd);
    for (std::int64_t& n : storage.sums) n += std::llround(standard_normal(stream) * kStd);
  }
  const ReleaseOrigin origin{.protection = kProtection,
                             .step = step,
                             .noise_multiplier = 0.0,
                             .clip_bound = storage.clip_bound,
                             .dimension = storage.sums.size()};
  return Released(std::make_shared<Released::Content>(origin, storage.grid, storage.sums));
}

Released UnprotectedMechanism::release(UnclippedSum&& sum) {
  const ReleaseOrigin origin{.protection = kProtection,
                             .step = releases_++,
                             .noise_multiplier = 0.0,
                             .clip_bound = std::numeric_limits<double>::infinity(),
                             .dimension = sum.values.size()};
  return Released(std::make_shared<Released::Content>(origin, std::move(sum.values)));
}

}  // namespace dpvi
