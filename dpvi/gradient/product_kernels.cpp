#include <dpvi/gradient/product_kernels.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/base/cpu_features.hpp>
#include <dpvi/gradient/clip_products_internal.hpp>

namespace dpvi {
namespace {

template <class T>
T term_of(const ProductRun<T>& run, std::size_t row, std::size_t lane) {
  T term =
      run.columns[static_cast<std::ptrdiff_t>(row) * run.step + static_cast<std::ptrdiff_t>(lane)];
  if (run.centres != nullptr) term -= run.centres[row];
  if (run.scales != nullptr) term *= run.scales[row];
  return term;
}

template <class T>
ProductLanes baseline_add_squares(const ProductRun<T>& run, const T* factor, ClipValues& sums) {
  T parts[4][kClipLanes] = {};
  for (std::size_t i = 0; i < run.count; ++i) {
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      const T term = term_of(run, i, k);
      parts[i % 4][k] += term * term;
    }
  }
  ProductLanes lanes;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    const T squares = (parts[0][k] + parts[1][k]) + (parts[2][k] + parts[3][k]);
    const double size = static_cast<double>(factor[k]);
    const double product = (size * size) * static_cast<double>(squares);
    sums.lane[k] += factor[k] == T(0) ? 0.0 : product;
    const bool in_range = squares >= kLeastSquares<T> && squares <= kMostSquares<T>;
    lanes.usable |= (in_range || factor[k] == T(0) ? 1u : 0u) << k;
    lanes.zero |= (squares == T(0) ? 1u : 0u) << k;
  }
  return lanes;
}

template <class T>
T toward_zero(double number) {
  const T nearest = static_cast<T>(number);
  const bool too_long = std::fabs(static_cast<double>(nearest)) > std::fabs(number);
  return too_long ? std::nextafter(nearest, T{0}) : nearest;
}

template <class T>
void baseline_set_rule(const LaneRule<T>& rule, const T* factor, ProductRule<T>& product) {
  product.limit = rule.limit;
  product.rows_at_a_time = rule.rows_at_a_time;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    product.multiplier[k] = toward_zero<T>(static_cast<double>(factor[k]) * rule.exact[k]);
    product.keep[k] = product.multiplier[k] == T(0) ? 0 : rule.keep[k];
  }
}

template <class T, class IntegerOf>
void write_integers(const ProductRun<T>& run, const ProductRule<T>& rule, std::int32_t* integers,
                    LaneSquares& squares, IntegerOf integer_of) {
  for (std::size_t i = 0; i < run.count; ++i) {
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      std::int32_t& place = integers[i * kClipLanes + k];
      const T scaled = term_of(run, i, k) * rule.multiplier[k];
      // The limit for a NaN, as the vector instructions give.
      const T below = scaled < rule.limit ? scaled : rule.limit;
      const std::int64_t n = integer_of(k, below > -rule.limit ? below : -rule.limit, place);
      place = static_cast<std::int32_t>(n);
      const std::uint64_t sum = squares.lane[k] + static_cast<std::uint64_t>(n * n);
      squares.lane[k] = std::min(sum, kManySquares);
    }
  }
}

struct BaselineLoops {
  template <class Number>
  static void fill(Number* lanes, Number number) {
    std::fill_n(lanes, kClipLanes, number);
  }
  template <class T>
  static ClipValues square_sums(const T* block, std::size_t rows, const ClipValues& prescale) {
    return baseline_clip_kernels<T>().square_sums(block, rows, prescale);
  }
  template <class T>
  static ProductLanes add_squares(const ProductRun<T>& run, const T* factor, ClipValues& sums) {
    return baseline_add_squares(run, factor, sums);
  }
  template <class T>
  static void set_lanes(const ClipValues& square_sums, const ClipValues& prescale,
                        const FactorRule& factors, std::uint32_t active, LaneRule<T>& rule) {
    baseline_clip_kernels<T>().set_lanes(square_sums, prescale, factors, active, rule);
  }
  template <class T>
  static void set_rule(const LaneRule<T>& rule, const T* factor, ProductRule<T>& product) {
    baseline_set_rule(rule, factor, product);
  }
  template <bool kTruncate, class T>
  static LaneSquares write_rows(const T* block, std::size_t rows, const LaneRule<T>& rule,
                                std::int32_t* integers) {
    const ClipKernels<T>& kernels = baseline_clip_kernels<T>();
    return (kTruncate ? kernels.truncate : kernels.quantise)(block, rows, rule, integers);
  }
  template <bool kTruncate, class T>
  static void write_run(const ProductRun<T>& run, const ProductRule<T>& rule,
                        std::int32_t* integers, LaneSquares& squares) {
    write_integers(run, rule, integers, squares,
                   [&](std::size_t k, T scaled, std::int32_t present) -> std::int64_t {
                     if (!kTruncate) return rule.keep[k] & std::lrint(scaled);
                     return rule.keep[k] != 0 ? static_cast<std::int32_t>(scaled) : present;
                   });
  }
};

}  // namespace

template <class T>
const ProductKernels<T>& baseline_product_kernels() {
  static constexpr ProductKernels<T> kernels{clip_products<BaselineLoops, T>};
  return kernels;
}

template <class T>
const ProductKernels<T>& product_kernels() {
  static const bool fast = cpu_has_avx2_and_fma();
  return fast ? avx2_product_kernels<T>() : baseline_product_kernels<T>();
}

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

template const ProductKernels<float>& baseline_product_kernels<float>();
template const ProductKernels<double>& baseline_product_kernels<double>();
template const ProductKernels<float>& product_kernels<float>();
template const ProductKernels<double>& product_kernels<double>();
template void multiply_out(const ProductRun<float>*, std::size_t, float*);
template void multiply_out(const ProductRun<double>*, std::size_t, double*);

}  // namespace dpvi
