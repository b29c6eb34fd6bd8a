#include <dpvi/privacy/released.hpp>

#include <utility>

#include <dpvi/privacy/boundary_internal.hpp>

namespace dpvi {

Released::Content::Content(const ReleaseOrigin& how, const NoiseGrid& grid,
                           std::span<const std::int64_t> sums)
    : origin(how) {
  const double unit = how.clip_bound / static_cast<double>(grid.integer_bound());
  values.reserve(sums.size());
  for (const std::int64_t n : sums) values.push_back(static_cast<double>(n) * unit);
}

Released::Content::Content(const ReleaseOrigin& how, std::vector<double> as_they_are)
    : origin(how), values(std::move(as_they_are)) {}

Released::Released(std::shared_ptr<const Content> content) noexcept
    : content_(std::move(content)) {}

std::span<const double> Released::values() const { return content_->values; }
const ReleaseOrigin& Released::origin() const { return content_->origin; }

}  // namespace dpvi
