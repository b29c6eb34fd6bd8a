#include <dpvi/gradient/row_path.hpp>

namespace dpvi {

template <class T>
RowPath<T>::RowPath(BlockEvaluator<T>& blocks, const ClipTask& task)
    : ClipPath<T>(blocks, GridClipper(task.settings, blocks.tape().rows())),
      coordinates_(task.coordinates) {}

template <class T>
std::size_t RowPath<T>::evaluate(std::span<const std::uint64_t> records) {
  return this->blocks_.evaluate_rows(records);
}

template <class T>
void RowPath<T>::clip(std::size_t blocks) {
  BlockEvaluator<T>& evaluated = this->blocks_;
  for (std::size_t block = 0; block < blocks; ++block) {
    evaluated.prefetch().next(RecordTable::kLanes / 2);
    coordinates_.pull_back_rows(evaluated.tape().rows(), evaluated.rows_of(block),
                                evaluated.own_of(block));
    lanes_[block] = evaluated.counting_lanes(block);
  }
  this->clipper_.add(evaluated.first_rows(blocks),
                     std::span<const std::uint32_t>(lanes_).first(blocks),
                     evaluated.first_own(blocks), evaluated.first_shares(blocks));
}

template class RowPath<float>;
template class RowPath<double>;

}  // namespace dpvi
