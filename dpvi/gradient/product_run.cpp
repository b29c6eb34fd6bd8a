#include <dpvi/gradient/product_run.hpp>

#include <algorithm>

namespace dpvi {

template <class T>
void multiply_out(const ProductRun<T>* runs, std::size_t run_count, T* block) {
  for (const ProductRun<T>* at = runs; at != runs + run_count; ++at) {
    const ProductRun<T>& run = *at;
    T factor[kClipLanes];
    std::copy_n(block + run.first * kClipLanes, kClipLanes, factor);
    for (std::size_t i = 0; i < run.count; ++i) {
      const T* column = run.columns + static_cast<std::ptrdiff_t>(i) * run.step;
      const T centre = run.centres == nullptr ? T{0} : run.centres[i];
      const T scale = run.scales == nullptr ? T{1} : run.scales[i];
      T* row = block + (run.first + i) * kClipLanes;
      for (std::size_t k = 0; k < kClipLanes; ++k) {
        row[k] = factor[k] == T{0} ? T{0} : factor[k] * (column[k] - centre) * scale;
      }
    }
  }
}

template void multiply_out(const ProductRun<float>*, std::size_t, float*);
template void multiply_out(const ProductRun<double>*, std::size_t, double*);

}  // namespace dpvi
