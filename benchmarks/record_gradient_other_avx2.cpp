#include <benchmarks/record_gradient_clip.hpp>

#include <cmath>

// A mixture of five spherical normals, varying intercepts, and a multivariate normal.
namespace dpvi {
namespace {

using namespace lanes_by_hand;

constexpr int kComponents = 5;

// Parameters: log weights before the softmax, log standard deviations, means. Numbers: log weight
// minus the log of the normalising constant, weight, precision, then the means.
template <class T>
HandDraw<T> begin_mixture(int dim, const std::vector<double>& theta) {
  double total = 0.0;
  for (std::size_t k = 0; k < kComponents; ++k) total += std::exp(theta[k]);
  std::vector<double> numbers(3 * kComponents);
  for (std::size_t k = 0; k < kComponents; ++k) {
    const double log_sd = theta[kComponents + k];
    numbers[k] = theta[k] - std::log(total) - dim * (log_sd + 0.918938533204672742);
    numbers[kComponents + k] = std::exp(theta[k]) / total;
    numbers[2 * kComponents + k] = std::exp(-2.0 * log_sd);
  }
  numbers.insert(numbers.end(), theta.begin() + 2 * kComponents, theta.end());
  return {dim, rounded<T>(numbers)};
}

// Squared distances from one mean, summed in the same order as norms so that they serve for both.
template <class T>
[[gnu::always_inline]] inline void squared_distances(int dim, const T* mean, const T* x,
                                                     Quads& squares) {
  for (__m256d& part : squares) part = _mm256_setzero_pd();
  for (int first = 0; first < dim; first += 64) {
    SquareParts<T> parts;
    const int end = first + 64 < dim ? first + 64 : dim;
    const auto take = [&](int j, int place) __attribute__((always_inline)) {
      for (int v = 0; v < kVectors<T>; ++v) {
        parts.add(place, v, load_part(x + j * kLanes, v) - mean[j]);
      }
    };
    int j = first;
    for (; j + 4 <= end; j += 4) {
      take(j, 0);
      take(j + 1, 1);
      take(j + 2, 2);
      take(j + 3, 3);
    }
    if (j < end) take(j, 0);
    if (j + 1 < end) take(j + 1, 1);
    if (j + 2 < end) take(j + 2, 2);
    Quads more;
    parts.total(more);
    for (int part = 0; part < 4; ++part) squares[part] = _mm256_add_pd(squares[part], more[part]);
  }
}

[[gnu::always_inline]] inline Vector<float> part_of(const Quads& wide, int v, float) {
  const __m256 eight =
      _mm256_set_m128(_mm256_cvtpd_ps(wide[2 * v + 1]), _mm256_cvtpd_ps(wide[2 * v]));
  return reinterpret_cast<const Vector<float>&>(eight);
}
[[gnu::always_inline]] inline Vector<double> part_of(const Quads& wide, int v, double) {
  return reinterpret_cast<const Vector<double>&>(wide[v]);
}

// Terms of a mixture's gradient, by component.
template <class T>
struct MixtureRows {
  Row<T> log_density;
  Row<T> by_weight[kComponents], by_spread[kComponents];
  Row<T> pull[kComponents];  // on the component's mean, per unit distance

  MixtureRows(const HandDraw<T>& draw, const Quads (&distance)[kComponents]) {
    for (int v = 0; v < kVectors<T>; ++v) combine(draw, distance, v);
  }

  // Combines one vector of records.
  [[gnu::always_inline]] void combine(const HandDraw<T>& draw, const Quads (&distance)[kComponents],
                                      int v) {
    const T* constant = draw.numbers.data();
    const T* weight = constant + kComponents;
    const T* precision = weight + kComponents;
    Vector<T> square[kComponents], term[kComponents];
    for (int k = 0; k < kComponents; ++k) {
      square[k] = part_of(distance[k], v, T{});
      term[k] = multiply_add(square[k], repeat(T(-0.5) * precision[k]), repeat(constant[k]));
    }
    Vector<T> largest = term[0];
    for (int k = 1; k < kComponents; ++k) largest = term[k] > largest ? term[k] : largest;
    Vector<T> total{};
    for (int k = 0; k < kComponents; ++k) {
      term[k] = exp<T>(term[k] - largest);
      total += term[k];
    }
    log_density[v] = log<T>(total) + largest;
    const Vector<T> scale = T(1) / total;
    for (int k = 0; k < kComponents; ++k) {
      const Vector<T> share = term[k] * scale;
      by_weight[k][v] = share - weight[k];
      pull[k][v] = share * precision[k];
      by_spread[k][v] = pull[k][v] * square[k] - share * static_cast<T>(draw.dim);
    }
  }
};

template <class T>
std::vector<ProductRun<T>> mixture_products(const HandDraw<T>& draw, const T* columns) {
  const auto dim = static_cast<std::size_t>(draw.dim);
  const T* means = draw.numbers.data() + 3 * kComponents;
  std::vector<ProductRun<T>> runs;
  for (std::size_t k = 0; k < kComponents; ++k) {
    runs.push_back({2 * kComponents + k * dim, dim, columns, kLanes, means + k * dim, nullptr});
  }
  return runs;
}

template <class T>
void mixture_block(const HandDraw<T>& draw, const HandBlock<T>& block) {
  const int dim = draw.dim;
  const T* means = draw.numbers.data() + 3 * kComponents;
  Quads distance[kComponents];
  for (int k = 0; k < kComponents; ++k) {
    squared_distances(dim, means + k * dim, block.columns, distance[k]);
  }
  const MixtureRows<T> rows(draw, distance);
  for (int v = 0; v < kVectors<T>; ++v) {
    store_part(block.log_density, v, rows.log_density[v]);
    for (int k = 0; k < kComponents; ++k) {
      store_part(block.gradient + k * kLanes, v, rows.by_weight[k][v]);
      store_part(block.gradient + (kComponents + k) * kLanes, v, rows.by_spread[k][v]);
      T* out = block.gradient + (2 * kComponents + k * dim) * kLanes;
      if (block.factors) store_part(out, v, rows.pull[k][v]);
      for (int j = 0; j < dim && !block.factors; ++j) {
        const Vector<T> gap = load_part(block.columns + j * kLanes, v) - means[k * dim + j];
        store_part(out + j * kLanes, v, rows.pull[k][v] * gap);
      }
    }
  }
}

template <class T>
bool mixture_add(const HandDraw<T>& draw, const HandTarget& target, const T* columns,
                 const std::int32_t*, const HandSums& sums) {
  const int dim = draw.dim;
  const T* means = draw.numbers.data() + 3 * kComponents;
  Quads distance[kComponents];
  for (int k = 0; k < kComponents; ++k) {
    squared_distances(dim, means + k * dim, columns, distance[k]);
  }
  const MixtureRows<T> rows(draw, distance);
  SquareParts<T> parts;
  for (int k = 0; k < kComponents; ++k) {
    for (int v = 0; v < kVectors<T>; ++v) parts.add(k, v, rows.by_weight[k][v]);
  }
  for (int k = 0; k < kComponents; ++k) {
    for (int v = 0; v < kVectors<T>; ++v) parts.add(kComponents + k, v, rows.by_spread[k][v]);
  }
  Quads squares, factor, size[kComponents];
  parts.total(squares);
  for (int k = 0; k < kComponents; ++k) {
    widen(rows.pull[k], size[k]);
    for (int part = 0; part < 4; ++part) {
      const __m256d square = _mm256_mul_pd(size[k][part], size[k][part]);
      squares[part] = _mm256_add_pd(squares[part], _mm256_mul_pd(square, distance[k][part]));
    }
  }
  factors_of(target, squares, factor);
  Adder<T> adder(sums.rows);
  adder.multiply_by(factor);
  for (int k = 0; k < kComponents; ++k) adder.add(rows.by_weight[k]);
  for (int k = 0; k < kComponents; ++k) adder.add(rows.by_spread[k]);
  for (int k = 0; k < kComponents; ++k) {
    adder.multiply_by(factor, size[k]);
    for (int j = 0; j < dim; ++j) {
      adder.add(columns + j * kLanes, means[k * dim + j]);
    }
  }
  return adder.all_within(target.bound);
}

// Adds a gradient whose rows are all in registers. Row `own_row`, if there is one, has a coordinate
// that differs between lanes.
template <class T, int kRows>
[[gnu::always_inline]] inline bool add_rows(const HandTarget& target, const Row<T> (&rows)[kRows],
                                            int own_row, const std::int32_t* own,
                                            const HandSums& sums) {
  SquareParts<T> parts;
#pragma GCC unroll 20
  for (int j = 0; j < kRows; ++j) {
    for (int v = 0; v < kVectors<T>; ++v) parts.add(j, v, rows[j][v]);
  }
  Quads squares, factor;
  parts.total(squares);
  factors_of(target, squares, factor);
  Adder<T> adder(sums.rows);
  adder.multiply_by(factor);
#pragma GCC unroll 20
  for (int j = 0; j < kRows; ++j) {
    if (j == own_row) {
      adder.add_own(rows[j], own, sums.own);
    } else {
      adder.add(rows[j]);
    }
  }
  return adder.all_within(target.bound);
}

template <class T, int kRows>
[[gnu::always_inline]] inline void store_rows(const Row<T> (&rows)[kRows], T* to) {
  for (int j = 0; j < kRows; ++j) {
    for (int v = 0; v < kVectors<T>; ++v) store_part(to + j * kLanes, v, rows[j][v]);
  }
}

// Parameters: mean and log spread of the groups, standardised group effects, slope, log noise.
// Rows: the same, with one for the record's own group. Columns: covariate, outcome, and the group
// as an integer that counts from 0. `dim` is the number of groups. Numbers after theta: spread,
// precision of the noise, the normal density's constant.
template <class T>
HandDraw<T> begin_hierarchical(int dim, const std::vector<double>& theta) {
  HandDraw<T> draw{dim, rounded<T>(theta)};
  const double log_noise = theta.back();
  draw.numbers.push_back(static_cast<T>(std::exp(theta[1])));
  draw.numbers.push_back(static_cast<T>(std::exp(-2.0 * log_noise)));
  draw.numbers.push_back(static_cast<T>(-log_noise - 0.918938533204672742));
  return draw;
}

template <class T>
[[gnu::always_inline]] inline void hierarchical_rows(const HandDraw<T>& draw, const T* columns,
                                                     const std::int32_t* groups, Row<T>& density,
                                                     std::int32_t* own, Row<T> (&rows)[5]) {
  const T* theta = draw.numbers.data();
  const T* effects = theta + 2;
  const T slope = theta[2 + draw.dim];
  const T spread = theta[4 + draw.dim];
  const T precision = theta[5 + draw.dim];
  const T constant = theta[6 + draw.dim];
  alignas(64) T effect[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    effect[l] = effects[groups[l]];
    own[l] = 2 + groups[l];
  }
  for (int v = 0; v < kVectors<T>; ++v) {
    const Vector<T> x = load_part(columns, v);
    const Vector<T> scaled = load_part(effect, v) * spread;
    const Vector<T> gap = load_part(columns + kLanes, v) - theta[0] - scaled - x * slope;
    const Vector<T> residual = gap * precision;
    const Vector<T> square = gap * residual;
    density[v] = constant - T(0.5) * square;
    rows[0][v] = residual;
    rows[1][v] = residual * scaled;
    rows[2][v] = residual * spread;
    rows[3][v] = residual * x;
    rows[4][v] = square - T(1);
  }
}

template <class T>
void hierarchical_block(const HandDraw<T>& draw, const HandBlock<T>& block) {
  Row<T> density, rows[5];
  hierarchical_rows(draw, block.columns, block.integers, density, block.own, rows);
  for (int v = 0; v < kVectors<T>; ++v) store_part(block.log_density, v, density[v]);
  store_rows<T>(rows, block.gradient);
}

template <class T>
bool hierarchical_add(const HandDraw<T>& draw, const HandTarget& target, const T* columns,
                      const std::int32_t* integers, const HandSums& sums) {
  Row<T> density, rows[5];
  std::int32_t own[kLanes];
  hierarchical_rows(draw, columns, integers, density, own, rows);
  return add_rows<T>(target, rows, 2, own, sums);
}

constexpr int kPoint = 5;

// Parameters: mean, then the Cholesky factor by rows with the logarithms of its diagonal. Columns:
// a point. Numbers: mean, factor by rows, inverse diagonal, the density's constant.
template <class T>
HandDraw<T> begin_multivariate(int dim, const std::vector<double>& theta) {
  std::vector<double> numbers = theta;
  std::vector<double> inverse;
  double constant = -kPoint * 0.918938533204672742;
  std::size_t at = kPoint;
  for (std::size_t i = 0; i < kPoint; ++i) {
    at += i;
    constant -= theta[at];
    inverse.push_back(std::exp(-theta[at]));
    numbers[at] = std::exp(theta[at]);
    ++at;
  }
  numbers.insert(numbers.end(), inverse.begin(), inverse.end());
  numbers.push_back(constant);
  return {dim, rounded<T>(numbers)};
}

template <class T>
[[gnu::always_inline]] inline void multivariate_rows(const HandDraw<T>& draw, const T* columns,
                                                     Row<T>& density, Row<T> (&rows)[20]) {
  const T* mean = draw.numbers.data();
  const T* factor = mean + kPoint;
  const T* inverse = factor + kPoint * (kPoint + 1) / 2;
  const T constant = inverse[kPoint];
  for (int v = 0; v < kVectors<T>; ++v) {
    Vector<T> z[kPoint];
    Vector<T> squares{};
    for (int i = 0; i < kPoint; ++i) {
      Vector<T> gap = load_part(columns + i * kLanes, v) - mean[i];
      for (int j = 0; j < i; ++j) gap -= factor[i * (i + 1) / 2 + j] * z[j];
      z[i] = gap * inverse[i];
      squares = multiply_add(z[i], z[i], squares);
    }
    density[v] = constant - T(0.5) * squares;
    Vector<T> w[kPoint];
    for (int i = kPoint - 1; i >= 0; --i) {
      Vector<T> rest = z[i];
      for (int j = i + 1; j < kPoint; ++j) rest -= factor[j * (j + 1) / 2 + i] * w[j];
      w[i] = rest * inverse[i];
      rows[i][v] = w[i];
    }
    for (int i = 0, at = kPoint; i < kPoint; ++i) {
      for (int j = 0; j < i; ++j) rows[at++][v] = w[i] * z[j];
      rows[at++][v] = factor[i * (i + 1) / 2 + i] * w[i] * z[i] - T(1);
    }
  }
}

template <class T>
void multivariate_block(const HandDraw<T>& draw, const HandBlock<T>& block) {
  Row<T> density, rows[20];
  multivariate_rows(draw, block.columns, density, rows);
  for (int v = 0; v < kVectors<T>; ++v) store_part(block.log_density, v, density[v]);
  store_rows<T>(rows, block.gradient);
}

template <class T>
bool multivariate_add(const HandDraw<T>& draw, const HandTarget& target, const T* columns,
                      const std::int32_t*, const HandSums& sums) {
  Row<T> density, rows[20];
  multivariate_rows(draw, columns, density, rows);
  return add_rows<T>(target, rows, -1, nullptr, sums);
}

}  // namespace

template <class T>
HandModel<T> mixture_by_hand() {
  return {&begin_mixture<T>, &mixture_block<T>, &mixture_add<T>, &mixture_products<T>};
}
template <class T>
HandModel<T> hierarchical_by_hand() {
  return {&begin_hierarchical<T>, &hierarchical_block<T>, &hierarchical_add<T>, nullptr};
}
template <class T>
HandModel<T> multivariate_by_hand() {
  return {&begin_multivariate<T>, &multivariate_block<T>, &multivariate_add<T>, nullptr};
}

template HandModel<float> mixture_by_hand();
template HandModel<double> mixture_by_hand();
template HandModel<float> hierarchical_by_hand();
template HandModel<double> hierarchical_by_hand();
template HandModel<float> multivariate_by_hand();
template HandModel<double> multivariate_by_hand();

}  // namespace dpvi
