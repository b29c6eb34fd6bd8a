#include <dpvi/gradient/spread_path.hpp>

namespace dpvi {

template <class T>
SpreadPath<T>::SpreadPath(BlockEvaluator<T>& blocks, const ClipTask& task)
    : ClipPath<T>(blocks, GridClipper(task.settings)),
      gradients_(task, blocks.tape().theta_size()) {}

template <class T>
std::size_t SpreadPath<T>::evaluate(std::span<const std::uint64_t> records) {
  return this->blocks_.evaluate_rows(records);
}

template <class T>
void SpreadPath<T>::clip(std::size_t blocks) {
  BlockEvaluator<T>& evaluated = this->blocks_;
  const RecordTape& tape = evaluated.tape();
  for (std::size_t block = 0; block < blocks; ++block) {
    evaluated.prefetch().next(RecordTable::kLanes / 2);
    spread_rows(tape.rows(), evaluated.rows_of(block).data(), evaluated.own_of(block).data(),
                gradients_.entries().data(), tape.theta_size());
    gradients_.clip(evaluated.counting_lanes(block), this->clipper_, evaluated.shares_of(block));
  }
}

template class SpreadPath<float>;
template class SpreadPath<double>;

}  // namespace dpvi
