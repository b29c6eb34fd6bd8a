#include <dpvi/gradient/clip_path.hpp>

#include <dpvi/gradient/count_path.hpp>
#include <dpvi/gradient/outcome_path.hpp>
#include <dpvi/gradient/product_path.hpp>
#include <dpvi/gradient/row_path.hpp>
#include <dpvi/gradient/simulated_path.hpp>
#include <dpvi/gradient/spread_path.hpp>
#include <dpvi/gradient/unit_path.hpp>

namespace dpvi {

template <class T>
std::unique_ptr<ClipPath<T>> make_clip_path(BlockEvaluator<T>& blocks, const ClipTask& task) {
  const bool gradients = task.settings.sum == ReleasedSum::gradients && task.joint.empty();
  if (task.settings.sum == ReleasedSum::counts) {
    return std::make_unique<CountPath<T>>(blocks, task);
  }
  if (blocks.simulated() != nullptr && gradients) {
    return std::make_unique<SimulatedPath<T>>(blocks, task);
  }
  if (!blocks.table().rows_are_records()) return std::make_unique<UnitPath<T>>(blocks, task);
  if (task.settings.sum == ReleasedSum::information) {
    return std::make_unique<SpreadPath<T>>(blocks, task);
  }
  if (blocks.other_outcomes() > 1 && task.joint.empty()) {
    return std::make_unique<OutcomePath<T>>(blocks, task);
  }
  if (!task.coordinates.is_diagonal() || !task.joint.empty()) {
    return std::make_unique<SpreadPath<T>>(blocks, task);
  }
  if (!blocks.tape().products().empty()) return std::make_unique<ProductPath<T>>(blocks, task);
  return std::make_unique<RowPath<T>>(blocks, task);
}

template std::unique_ptr<ClipPath<float>> make_clip_path(BlockEvaluator<float>&, const ClipTask&);
template std::unique_ptr<ClipPath<double>> make_clip_path(BlockEvaluator<double>&, const ClipTask&);

}  // namespace dpvi
