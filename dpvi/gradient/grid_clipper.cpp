#include <dpvi/gradient/grid_clipper.hpp>

#include <algorithm>
#include <bit>
#include <cassert>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/base/floating_point_mode.hpp>
#include <dpvi/privacy/boundary_internal.hpp>

namespace dpvi {
namespace {

static_assert(GridClipper::kLanes == kClipLanes);

constexpr double kLargestCoordinate = 0.5;
constexpr double kSmallestShare = 0.05;
constexpr std::size_t kLargestDimension = std::size_t{1} << 24;
constexpr std::size_t kL1CacheBytes = 16384;

void check_coordinate(const ClipSettings& settings) {
  const ClipCoordinate& coordinate = *settings.coordinate;
  const bool usable = settings.rule == ClipRule::shorten && coordinate.size >= 0.0 &&
                      coordinate.size <= kLargestCoordinate &&
                      coordinate.unshortened_share >= kSmallestShare &&
                      coordinate.unshortened_share <= 1.0;
  if (usable) return;
  throw UsageError(kValueOutsideRule,
                   fmt::format("the clip coordinate has size {} and target share {}; it must have "
                               "a size from 0 to {} and a share from .05 to 1, and gradients must "
                               "be shortened, not normalised.",
                               coordinate.size, coordinate.unshortened_share, kLargestCoordinate),
                   "Use a fixed clip bound.");
}

const ClipSettings& checked(const ClipSettings& settings) {
  // Written so that a NaN fails too.
  const bool usable_bound =
      settings.clip_bound >= kSmallestClipBound && settings.clip_bound <= kLargestClipBound;
  if (!usable_bound) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("clip_bound is {}; it must be between {} and {}.",
                                 settings.clip_bound, kSmallestClipBound, kLargestClipBound),
                     "Choose a bound near the norm of a typical record's gradient.");
  }
  if (settings.dimension == 0 || settings.dimension > kLargestDimension) {
    throw UsageError(kTooLarge,
                     fmt::format("the gradient has {} coordinates; it must have 1 to {}.",
                                 settings.dimension, kLargestDimension),
                     "Use a model with fewer parameters.");
  }
  if (settings.coordinate) check_coordinate(settings);
  settings.grid.check_batch(settings.max_records);
  return settings;
}

}  // namespace

GridClipper::GridClipper(const ClipSettings& settings, RowCoordinates places)
    : settings_(settings),
      target_(clip_target(settings_)),
      sweep_(settings_.sum == ReleasedSum::gradients ? sweep_rule(target_) : std::nullopt),
      arithmetic_(target_, target_),
      places_(std::move(places)),
      sum_(nullptr),
      swept_sums_(sweep_ ? kSumParts * places_.rows() : 0),
      integers_(kLanes * (places_.rows() + target_.width() - target_.dimension)) {
  take_sum();
}

GridClipper::GridClipper(const ClipSettings& settings)
    : GridClipper(checked(settings), RowCoordinates(settings.dimension)) {}

GridClipper::GridClipper(const ClipSettings& settings, const GradientRows& rows)
    : GridClipper(checked(settings), RowCoordinates(rows, settings.dimension)) {}

template <class T>
void GridClipper::add(std::span<const T> blocks, std::span<const std::uint32_t> active_lanes,
                      std::span<const std::int32_t> own, std::span<const BoundShares> shares) {
  const std::size_t block_size = kLanes * places_.rows();
  const std::size_t own_size = kLanes * places_.per_lane_rows();
  assert(blocks.size() == block_size * active_lanes.size());
  assert(own.size() == own_size * active_lanes.size());
  const StandardFloatingPoint standard;
  // A sweep reads its blocks twice, so they should fit in the L1 cache beside the sums.
  const std::size_t near = kL1CacheBytes / (block_size * sizeof(T));
  const std::size_t at_once = std::clamp<std::size_t>(near, 1, kSweptAtOnce);
  for (std::size_t first = 0; first < active_lanes.size(); first += at_once) {
    const std::size_t count = std::min(at_once, active_lanes.size() - first);
    const T* rows = blocks.data() + first * block_size;
    const std::int32_t* coordinates = own.data() + first * own_size;
    ProductBlock<T> swept[kSweptAtOnce];
    std::uint32_t lanes[kSweptAtOnce];
    for (std::size_t b = 0; b < count; ++b) {
      assert(active_lanes[first + b] < 1u << kLanes);
      swept[b] = {rows + b * block_size, places_.rows()};
      const bool by_share = !shares.empty() && settings_.sum == ReleasedSum::gradients;
      if (by_share) swept[b].shares = &shares[first + b];
      lanes[b] = active_lanes[first + b] & places_.distinct_lanes(coordinates + b * own_size);
    }
    sweep(std::span<const ProductBlock<T>>(swept, count), lanes, coordinates);
    for (std::size_t b = 0; b < count; ++b) {
      if (lanes[b] == 0) continue;
      add_written_out(swept[b], lanes[b], coordinates + b * own_size);
    }
  }
}

template <class T>
void GridClipper::add_products(std::span<T> block, std::span<const ProductRun<T>> runs,
                               std::uint32_t active_lanes, std::span<const std::int32_t> own,
                               const BoundShares& shares) {
  assert(block.size() == kLanes * places_.rows());
  assert(own.size() == kLanes * places_.per_lane_rows());
  assert(active_lanes < 1u << kLanes);
  const StandardFloatingPoint standard;
  std::uint32_t lanes = active_lanes & places_.distinct_lanes(own.data());
  const ProductBlock<T> swept{block.data(), places_.rows(), runs.data(), runs.size(), &shares};
  sweep(std::span<const ProductBlock<T>>(&swept, 1), &lanes, own.data());
  if (lanes == 0) return;
  multiply_out(runs.data(), runs.size(), block.data());
  add_written_out(swept, lanes, own.data());
}

template <class T>
void GridClipper::sweep(std::span<const ProductBlock<T>> blocks, std::uint32_t* lanes,
                        const std::int32_t* own) {
  if (!sweep_) return;
  SweptLanes swept[kSweptAtOnce];
  add_within_bound(sweep_kernels<T>(), *sweep_, blocks, lanes, swept_sums_.data(), swept);
  swept_blocks_ += static_cast<std::int64_t>(blocks.size());
  std::int64_t* sums = sum_.storage().sums.data();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::uint32_t within = swept[b].within;
    if (places_.per_lane_rows() != 0) {
      places_.add_own(swept[b], blocks[b].all_rows, own, sums);
      own += kLanes * places_.per_lane_rows();
    }
    lanes[b] &= ~within;
    if (!target_.marks) continue;
    const int shortened = std::popcount(within & swept[b].shortened);
    const int others = std::popcount(within & ~swept[b].shortened);
    sums[target_.dimension] += std::int64_t{shortened} * target_.marks->shortened +
                               std::int64_t{others} * target_.marks->unshortened;
  }
}

template <class T>
void GridClipper::add_written_out(const ProductBlock<T>& block, std::uint32_t lanes,
                                  const std::int32_t* own) {
  const ClipKernels<T>& kernels = clip_kernels<T>();
  clip_block(kernels, std::get<ClipArithmetic<T>>(arithmetic_), block, lanes, integers_.data());
  if (settings_.sum == ReleasedSum::information) return add_products_of_integers();
  std::int64_t* sums = sum_.storage().sums.data();
  places_.add(kernels, integers_.data(), own, sums);
  const std::int32_t* marks = integers_.data() + kLanes * places_.rows();
  if (target_.marks) kernels.add_lanes(marks, 1, sums + target_.dimension);
}

void GridClipper::add_products_of_integers() {
  const std::size_t width = target_.width();
  std::int64_t* sums = sum_.storage().sums.data();
  for (std::size_t j = 0; j < width; ++j) {
    const std::int32_t* left = integers_.data() + j * kLanes;
    for (std::size_t k = 0; k < width; ++k) {
      const std::int32_t* right = integers_.data() + k * kLanes;
      std::int64_t sum = 0;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        sum += std::int64_t{left[lane]} * right[lane];
      }
      sums[j * width + k] += sum;
    }
  }
}

// The unit of an entry: a released integer times this / the grid's integer bound is in the units of
// the gradient, or of its square.
double GridClipper::released_bound() const {
  if (settings_.sum != ReleasedSum::information) return settings_.clip_bound;
  const double unit = target_.clip_bound / static_cast<double>(target_.integer_bound);
  return unit * unit * static_cast<double>(settings_.grid.integer_bound());
}

PartialSum GridClipper::take_sum() {
  if (swept_blocks_ != 0) {
    places_.add_swept(swept_sums_.data(), swept_blocks_, sum_.storage().sums.data());
    std::fill_n(swept_sums_.data(), swept_sums_.size(), 0);
    swept_blocks_ = 0;
  }
  auto empty = std::make_unique<PartialSum::Storage>(
      PartialSum::Storage{{.grid = settings_.grid,
                           .clip_bound = released_bound(),
                           .sums = std::vector<std::int64_t>(sum_size(), 0)}});
  return std::exchange(sum_, PartialSum(std::move(empty)));
}

template void GridClipper::add(std::span<const float>, std::span<const std::uint32_t>,
                               std::span<const std::int32_t>, std::span<const BoundShares>);
template void GridClipper::add(std::span<const double>, std::span<const std::uint32_t>,
                               std::span<const std::int32_t>, std::span<const BoundShares>);
template void GridClipper::add_products(std::span<float>, std::span<const ProductRun<float>>,
                                        std::uint32_t, std::span<const std::int32_t>,
                                        const BoundShares&);
template void GridClipper::add_products(std::span<double>, std::span<const ProductRun<double>>,
                                        std::uint32_t, std::span<const std::int32_t>,
                                        const BoundShares&);

}  // namespace dpvi
