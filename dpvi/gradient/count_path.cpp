#include <dpvi/gradient/count_path.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/base/error.hpp>

namespace dpvi {

template <class T>
CountPath<T>::CountPath(BlockEvaluator<T>& blocks, const ClipTask& task)
    : ClipPath<T>(blocks, GridClipper(task.settings)),
      histograms_(task.settings.histograms),
      bins_of_one_(histograms_ == 0 ? 0 : task.settings.dimension / histograms_),
      entry_(
          static_cast<T>(task.settings.clip_bound / std::sqrt(static_cast<double>(histograms_)))),
      reals_(blocks.table().real_slots() * RecordTable::kLanes),
      integers_(blocks.table().integer_slots() * RecordTable::kLanes),
      vectors_(task.settings.dimension * RecordTable::kLanes) {
  const auto columns = static_cast<std::size_t>(blocks.tape().int_columns());
  if (histograms_ == 0 || histograms_ * bins_of_one_ != task.settings.dimension ||
      !blocks.table().rows_are_records() ||
      blocks.table().integer_slots() != columns + histograms_) {
    throw InternalError(kInternal, "the records have no bins to count.", "Report this message.");
  }
}

template <class T>
std::size_t CountPath<T>::evaluate(std::span<const std::uint64_t> records) {
  std::size_t blocks = 0;
  for (; !records.empty(); ++blocks) {
    const std::size_t taken = std::min(RecordTable::kLanes, records.size());
    if (loaded_.size() == blocks) loaded_.emplace_back();
    loaded_[blocks].lanes = this->blocks_.table().load_lanes(
        records.first(taken), std::span<T>(reals_), std::span(integers_));
    loaded_[blocks].bins.assign(
        integers_.end() - static_cast<std::ptrdiff_t>(histograms_ * RecordTable::kLanes),
        integers_.end());
    records = records.subspan(taken);
  }
  return blocks;
}

template <class T>
bool CountPath<T>::has_all_bins(const Block& block, std::size_t lane) const {
  for (std::size_t h = 0; h < histograms_; ++h) {
    const std::int32_t bin = block.bins[h * RecordTable::kLanes + lane];
    if (bin < 0 || static_cast<std::size_t>(bin) / bins_of_one_ != h) return false;
  }
  return true;
}

template <class T>
void CountPath<T>::clip(std::size_t blocks) {
  for (const Block& block : std::span(loaded_).first(blocks)) {
    std::ranges::fill(vectors_, T{0});
    std::uint32_t lanes = 0;
    for (std::size_t lane = 0; lane < RecordTable::kLanes; ++lane) {
      if ((block.lanes >> lane & 1u) == 0 || !has_all_bins(block, lane)) continue;
      lanes |= std::uint32_t{1} << lane;
      for (std::size_t h = 0; h < histograms_; ++h) {
        const auto bin = static_cast<std::size_t>(block.bins[h * RecordTable::kLanes + lane]);
        vectors_[bin * RecordTable::kLanes + lane] = entry_;
      }
    }
    this->clipper_.add(std::span<const T>(vectors_), lanes);
  }
}

template class CountPath<float>;
template class CountPath<double>;

}  // namespace dpvi
