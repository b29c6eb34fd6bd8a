#include <dpvi/gradient/simulated_path.hpp>

#include <algorithm>
#include <limits>

#include <dpvi/gradient/row_sums.hpp>

namespace dpvi {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

}  // namespace

template <class T>
SimulatedPath<T>::SimulatedPath(BlockEvaluator<T>& blocks, const ClipTask& task)
    : ClipPath<T>(blocks, GridClipper(task.settings)),
      coordinates_(task.coordinates),
      centre_(blocks.simulated()->count() + 1, gradient_bound(task.settings)),
      simulated_(blocks.simulated()->begin(task.settings.step, task.theta)),
      log_weights_(blocks.simulated()->count() + 1),
      reals_(blocks.simulated()->columns().reals.size() * RecordTable::kLanes),
      integers_(blocks.simulated()->columns().ints.size() * RecordTable::kLanes),
      clipped_(static_cast<std::size_t>(blocks.tape().theta_size()) * RecordTable::kLanes) {
  gradients_.assign(log_weights_.size(), clipped_);
  for (const std::vector<T>& gradient : gradients_) gradient_pointers_.push_back(gradient.data());
}

template <class T>
std::size_t SimulatedPath<T>::evaluate(std::span<const std::uint64_t> records) {
  for (std::vector<T>& gradient : gradients_) std::ranges::fill(gradient, T{0});
  std::ranges::fill(log_weights_, LaneNumbers{});
  counting_ = 0;
  std::uint64_t place = 0;
  for_each_row(this->blocks_.table(), records,
               [&](std::span<const std::uint64_t> table_rows) { add_row(table_rows, place++); });
  return 1;
}

template <class T>
void SimulatedPath<T>::add_row(std::span<const std::uint64_t> table_rows, std::uint64_t place) {
  BlockEvaluator<T>& evaluated = this->blocks_;
  evaluated.load_block(table_rows);
  evaluated.evaluate_loaded();
  const std::span<const T> gradient = evaluated.rows_of(0);
  const std::uint32_t own =
      evaluated.counting_lanes(0) & lanes_of_finite(gradient.data(), gradient.size());
  add_gradient(0, own);
  counting_ |= own;
  simulated_->load(evaluated.as_read(), place);
  for (std::size_t k = 1; k < gradients_.size(); ++k) {
    std::uint32_t drawn = simulated_->draw(reals_, integers_);
    evaluated.set_columns(evaluated.simulated()->columns(), reals_, integers_);
    evaluated.evaluate_loaded();
    drawn &= evaluated.counting_lanes(0) & lanes_of_finite(gradient.data(), gradient.size());
    add_gradient(k, own & drawn);
    for (std::size_t lane = 0; lane < RecordTable::kLanes; ++lane) {
      if ((own & ~drawn) >> lane & 1u) log_weights_[k].lane[lane] = kImpossible;
    }
  }
}

template <class T>
void SimulatedPath<T>::add_gradient(std::size_t outcome, std::uint32_t lanes) {
  add_rows(this->blocks_.tape().rows(), this->blocks_.rows_of(0).data(),
           this->blocks_.own_of(0).data(), lanes, gradients_[outcome].data());
}

template <class T>
void SimulatedPath<T>::clip(std::size_t) {
  this->blocks_.prefetch().next(RecordTable::kLanes / 2);
  for (std::vector<T>& gradient : gradients_) coordinates_.pull_back_lanes(std::span<T>(gradient));
  const BoundShares shares = centre_.clip(std::span<const T* const>(gradient_pointers_),
                                          log_weights_, std::span<T>(clipped_));
  this->clipper_.add(std::span<const T>(clipped_), counting_, {}, {&shares, 1});
}

template class SimulatedPath<float>;
template class SimulatedPath<double>;

}  // namespace dpvi
