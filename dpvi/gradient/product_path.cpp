#include <dpvi/gradient/product_path.hpp>

namespace dpvi {

template <class T>
ProductPath<T>::ProductPath(BlockEvaluator<T>& blocks, const ClipTask& task)
    : ClipPath<T>(blocks, GridClipper(task.settings, blocks.tape().rows())),
      coordinates_(task.coordinates),
      products_(blocks.tape(), task.coordinates) {
  products_.set_centres(blocks.tape(), blocks.workspace());
}

template <class T>
std::size_t ProductPath<T>::evaluate(std::span<const std::uint64_t> records) {
  return this->blocks_.evaluate_factors(records);
}

template <class T>
void ProductPath<T>::clip(std::size_t blocks) {
  BlockEvaluator<T>& evaluated = this->blocks_;
  const RecordTape& tape = evaluated.tape();
  for (std::size_t block = 0; block < blocks; ++block) {
    evaluated.prefetch().next(RecordTable::kLanes / 2);
    coordinates_.pull_back_rows(tape.rows(), evaluated.rows_of(block), evaluated.own_of(block),
                                std::span<const ProductRows>(tape.products()));
    this->clipper_.add_products(
        evaluated.rows_of(block), products_.runs_of(evaluated.reals_of(block).data()),
        evaluated.counting_lanes(block), evaluated.own_of(block), evaluated.shares_of(block));
  }
}

template class ProductPath<float>;
template class ProductPath<double>;

}  // namespace dpvi
