#pragma once

#include <dpvi/gradient/clip_path.hpp>
#include <dpvi/gradient/product_terms.hpp>

namespace dpvi {

// Internal to record gradients: clips gradients in rows, some of which are products that are not
// written out. A record is a row of the table, and the coordinates must be diagonal.
template <class T>
class ProductPath final : public ClipPath<T> {
 public:
  ProductPath(BlockEvaluator<T>& blocks, const ClipTask& task);

 private:
  std::size_t evaluate(std::span<const std::uint64_t> records) override;
  void clip(std::size_t blocks) override;

  const Coordinates& coordinates_;
  ProductTerms<T> products_;
};

}  // namespace dpvi
