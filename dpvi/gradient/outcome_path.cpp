#include <dpvi/gradient/outcome_path.hpp>

namespace dpvi {

template <class T>
OutcomePath<T>::OutcomePath(BlockEvaluator<T>& blocks, const ClipTask& task)
    : ClipPath<T>(blocks, GridClipper(task.settings)),
      coordinates_(task.coordinates),
      centre_(blocks.other_outcomes() + 1, gradient_bound(task.settings)),
      log_densities_(blocks.other_outcomes() + 1),
      clipped_(static_cast<std::size_t>(blocks.tape().theta_size()) * RecordTable::kLanes) {
  gradients_.assign(log_densities_.size(), clipped_);
  for (const std::vector<T>& gradient : gradients_) gradient_pointers_.push_back(gradient.data());
}

template <class T>
std::size_t OutcomePath<T>::evaluate(std::span<const std::uint64_t> records) {
  BlockEvaluator<T>& evaluated = this->blocks_;
  const RecordTape& tape = evaluated.tape();
  evaluated.load_block(records);
  for (std::size_t k = 0; k < gradients_.size(); ++k) {
    evaluated.evaluate_outcome(k);
    if (k == 0) counting_ = evaluated.counting_lanes(0);
    spread_rows(tape.rows(), evaluated.rows_of(0).data(), evaluated.own_of(0).data(),
                gradients_[k].data(), tape.theta_size());
    for (std::size_t lane = 0; lane < RecordTable::kLanes; ++lane) {
      log_densities_[k].lane[lane] = static_cast<double>(evaluated.log_density(0, lane));
    }
  }
  return 1;
}

template <class T>
void OutcomePath<T>::clip(std::size_t) {
  this->blocks_.prefetch().next(RecordTable::kLanes / 2);
  for (std::vector<T>& gradient : gradients_) coordinates_.pull_back_lanes(std::span<T>(gradient));
  const BoundShares shares = centre_.clip(std::span<const T* const>(gradient_pointers_),
                                          log_densities_, std::span<T>(clipped_));
  this->clipper_.add(std::span<const T>(clipped_), counting_, {}, {&shares, 1});
}

template class OutcomePath<float>;
template class OutcomePath<double>;

}  // namespace dpvi
