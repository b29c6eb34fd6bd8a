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
constexpr std::size_t kLargestDimension = std::size_t{1} << 24;

void check_coordinate(const ClipSettings& settings) {
  const ClipCoordinate& coordinate = *settings.coordinate;
  const bool usable = settings.rule == ClipRule::shorten && coordinate.size >= 0.0 &&
                      coordinate.size <= kLargestCoordinate &&
                      coordinate.unshortened_share >= 0.5 && coordinate.unshortened_share <= 1.0;
  if (usable) return;
  throw UsageError(kValueOutsideRule,
                   fmt::format("the clip coordinate has size {} and target share {}; it must have "
                               "a size from 0 to {} and a share from .5 to 1, and gradients must "
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

GridClipper::GridClipper(const ClipSettings& settings, RowPlaces places)
    : settings_(settings),
      target_(clip_target(settings_)),
      sweep_(sweep_rule(target_)),
      arithmetic_(target_, target_),
      places_(std::move(places)),
      sum_(nullptr),
      swept_sums_(sweep_ ? kSumParts * places_.rows() : 0),
      integers_(kLanes * (places_.rows() + target_.width() - target_.dimension)) {
  take_sum();
}

GridClipper::GridClipper(const ClipSettings& settings)
    : GridClipper(checked(settings), RowPlaces(settings.dimension)) {}

GridClipper::GridClipper(const ClipSettings& settings, const GradientRows& rows)
    : GridClipper(checked(settings), RowPlaces(rows, settings.dimension)) {}

template <class T>
void GridClipper::add(std::span<const T> block, std::uint32_t active_lanes,
                      std::span<const std::int32_t> own) {
  assert(block.size() == kLanes * places_.rows());
  assert(own.size() == kLanes * places_.own_rows());
  assert(active_lanes < 1u << kLanes);
  const StandardFloatingPoint standard;
  const std::uint32_t lanes = active_lanes & places_.distinct_lanes(own.data());
  const std::uint32_t left = sweep<T>({block.data(), places_.rows()}, lanes, own);
  if (left != 0) add_written_out(block.data(), left, own);
}

template <class T>
void GridClipper::add_products(std::span<T> block, std::span<const ProductRun<T>> runs,
                               std::uint32_t active_lanes, std::span<const std::int32_t> own) {
  assert(block.size() == kLanes * places_.rows());
  assert(own.size() == kLanes * places_.own_rows());
  assert(active_lanes < 1u << kLanes);
  const StandardFloatingPoint standard;
  const std::uint32_t lanes = active_lanes & places_.distinct_lanes(own.data());
  const std::uint32_t left =
      sweep<T>({block.data(), places_.rows(), runs.data(), runs.size()}, lanes, own);
  if (left == 0) return;
  multiply_out(runs.data(), runs.size(), block.data());
  add_written_out(static_cast<const T*>(block.data()), left, own);
}

template <class T>
std::uint32_t GridClipper::sweep(const ProductBlock<T>& block, std::uint32_t lanes,
                                 std::span<const std::int32_t> own) {
  if (!sweep_) return lanes;
  const SweptLanes swept =
      add_within_bound(sweep_kernels<T>(), *sweep_, block, lanes, swept_sums_.data());
  ++swept_blocks_;
  std::int64_t* sums = sum_.storage().sums.data();
  places_.add_own(swept, block.all_rows, own.data(), sums);
  if (target_.marks) {
    const int shortened = std::popcount(swept.within & swept.shortened);
    const int others = std::popcount(swept.within & ~swept.shortened);
    sums[target_.dimension] += std::int64_t{shortened} * target_.marks->shortened +
                               std::int64_t{others} * target_.marks->unshortened;
  }
  return lanes & ~swept.within;
}

template <class T>
void GridClipper::add_written_out(const T* block, std::uint32_t lanes,
                                  std::span<const std::int32_t> own) {
  const ClipKernels<T>& kernels = clip_kernels<T>();
  clip_block(kernels, std::get<ClipArithmetic<T>>(arithmetic_), block, places_.rows(), lanes,
             integers_.data());
  std::int64_t* sums = sum_.storage().sums.data();
  places_.add(kernels, integers_.data(), own.data(), sums);
  const std::int32_t* marks = integers_.data() + kLanes * places_.rows();
  if (target_.marks) kernels.add_lanes(marks, 1, sums + target_.dimension);
}

ClippedSum GridClipper::take_sum() {
  if (swept_blocks_ != 0) {
    places_.add_swept(swept_sums_.data(), swept_blocks_, sum_.storage().sums.data());
    std::fill_n(swept_sums_.data(), swept_sums_.size(), 0);
    swept_blocks_ = 0;
  }
  auto empty = std::make_unique<ClippedSum::Storage>(
      ClippedSum::Storage{.grid = settings_.grid,
                          .clip_bound = settings_.clip_bound,
                          .sums = std::vector<std::int64_t>(target_.width(), 0)});
  return std::exchange(sum_, ClippedSum(std::move(empty)));
}

template void GridClipper::add(std::span<const float>, std::uint32_t,
                               std::span<const std::int32_t>);
template void GridClipper::add(std::span<const double>, std::uint32_t,
                               std::span<const std::int32_t>);
template void GridClipper::add_products(std::span<float>, std::span<const ProductRun<float>>,
                                        std::uint32_t, std::span<const std::int32_t>);
template void GridClipper::add_products(std::span<double>, std::span<const ProductRun<double>>,
                                        std::uint32_t, std::span<const std::int32_t>);

}  // namespace dpvi
