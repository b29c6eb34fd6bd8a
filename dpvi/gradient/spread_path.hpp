#pragma once

#include <dpvi/gradient/clip_path.hpp>
#include <dpvi/gradient/whole_gradients.hpp>

namespace dpvi {

// Internal to record gradients: spreads gradients over all coordinates and clips them there, for
// coordinates that are not diagonal and for joint terms. A record is a row of the table.
template <class T>
class SpreadPath final : public ClipPath<T> {
 public:
  SpreadPath(BlockEvaluator<T>& blocks, const ClipTask& task);

 private:
  std::size_t evaluate(std::span<const std::uint64_t> records) override;
  void clip(std::size_t blocks) override;

  WholeGradients<T> gradients_;
};

}  // namespace dpvi
