#include <dpvi/gradient/unit_path.hpp>

#include <algorithm>

#include <dpvi/gradient/row_sums.hpp>

namespace dpvi {

template <class T>
UnitPath<T>::UnitPath(BlockEvaluator<T>& blocks, const ClipTask& task)
    : ClipPath<T>(blocks, GridClipper(task.settings)), sums_(task, blocks.tape().theta_size()) {}

// Rows of one record may touch different coordinates.
template <class T>
std::size_t UnitPath<T>::evaluate(std::span<const std::uint64_t> records) {
  BlockEvaluator<T>& evaluated = this->blocks_;
  std::ranges::fill(sums_.entries(), T{0});
  counting_ = 0;
  for_each_row(evaluated.table(), records, [&](std::span<const std::uint64_t> table_rows) {
    evaluated.evaluate_rows(table_rows);
    const std::span<const T> gradient = evaluated.rows_of(0);
    const std::uint32_t lanes =
        evaluated.counting_lanes(0) & lanes_of_finite(gradient.data(), gradient.size());
    add_rows(evaluated.tape().rows(), gradient.data(), evaluated.own_of(0).data(), lanes,
             sums_.entries().data());
    counting_ |= lanes;
  });
  return 1;
}

template <class T>
void UnitPath<T>::clip(std::size_t) {
  this->blocks_.prefetch().next(RecordTable::kLanes / 2);
  sums_.clip(counting_, this->clipper_);
}

template class UnitPath<float>;
template class UnitPath<double>;

}  // namespace dpvi
