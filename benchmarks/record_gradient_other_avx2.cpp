#include <benchmarks/record_gradient_lanes.hpp>

#include <cmath>

// A mixture of five spherical normals, varying intercepts, a multivariate normal.
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

template <class T>
[[gnu::always_inline]] inline void squared_distances(int dim, const T* mean, const T* x,
                                                     Row<T>& distance) {
  Row<T> odd = {};
  for (Vector<T>& part : distance) part = Vector<T>{};
  int j = 0;
  for (; j + 1 < dim; j += 2) {
    for (int v = 0; v < kVectors<T>; ++v) {
      const Vector<T> gap = load_part(x + j * kLanes, v) - mean[j];
      const Vector<T> next_gap = load_part(x + (j + 1) * kLanes, v) - mean[j + 1];
      distance[v] = multiply_add(gap, gap, distance[v]);
      odd[v] = multiply_add(next_gap, next_gap, odd[v]);
    }
  }
  for (int v = 0; v < kVectors<T>; ++v) {
    if (j < dim) {
      const Vector<T> gap = load_part(x + j * kLanes, v) - mean[j];
      distance[v] = multiply_add(gap, gap, distance[v]);
    }
    distance[v] += odd[v];
  }
}

// Log density of one vector of records; the pull becomes each component's pull on its mean.
template <class T>
[[gnu::always_inline]] inline void combine(const HandDraw<T>& draw, const HandBlock<T>& block,
                                           const Row<T> (&distance)[kComponents], int v,
                                           Row<T> (&pull)[kComponents]) {
  const T* constant = draw.numbers.data();
  const T* weight = constant + kComponents;
  const T* precision = weight + kComponents;
  Vector<T> term[kComponents];
  for (int k = 0; k < kComponents; ++k) {
    term[k] = multiply_add(distance[k][v], repeat(T(-0.5) * precision[k]), repeat(constant[k]));
  }
  Vector<T> largest = term[0];
  for (int k = 1; k < kComponents; ++k) largest = term[k] > largest ? term[k] : largest;
  Vector<T> total{};
  for (int k = 0; k < kComponents; ++k) {
    term[k] = exp<T>(term[k] - largest);
    total += term[k];
  }
  store_part(block.log_density, v, log<T>(total) + largest);
  const Vector<T> scale = T(1) / total;
  for (int k = 0; k < kComponents; ++k) {
    const Vector<T> share = term[k] * scale;
    store_part(block.gradient + k * kLanes, v, share - weight[k]);
    pull[k][v] = share * precision[k];
    store_part(block.gradient + (kComponents + k) * kLanes, v,
               pull[k][v] * distance[k][v] - share * static_cast<T>(draw.dim));
  }
}

template <class T>
void mixture_block(const HandDraw<T>& draw, const HandBlock<T>& block) {
  const int dim = draw.dim;
  const T* means = draw.numbers.data() + 3 * kComponents;
  Row<T> distance[kComponents];
  Row<T> pull[kComponents];
  for (int k = 0; k < kComponents; ++k) {
    squared_distances(dim, means + k * dim, block.columns, distance[k]);
  }
  for (int v = 0; v < kVectors<T>; ++v) combine(draw, block, distance, v, pull);
  for (int k = 0; k < kComponents; ++k) {
    Row<T> own;
    for (int v = 0; v < kVectors<T>; ++v) own[v] = pull[k][v];
    T* out = block.gradient + (2 * kComponents + k * dim) * kLanes;
    if (block.factors) {
      for (int v = 0; v < kVectors<T>; ++v) store_part(out, v, own[v]);
      continue;
    }
    for (int j = 0; j < dim; ++j) {
      const T mean = means[k * dim + j];
      for (int v = 0; v < kVectors<T>; ++v) {
        store_part(out + j * kLanes, v, own[v] * (load_part(block.columns + j * kLanes, v) - mean));
      }
    }
  }
}

// Parameters: mean and log spread of the groups, standardised group effects, slope, log noise.
// Rows: the same, with one for the record's own group. Columns: covariate, outcome; the group as an
// integer that counts from 0. `dim` is the number of groups. Numbers beyond theta: spread,
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
void hierarchical_block(const HandDraw<T>& draw, const HandBlock<T>& block) {
  const T* theta = draw.numbers.data();
  const T* effects = theta + 2;
  const T slope = theta[2 + draw.dim];
  const T spread = theta[4 + draw.dim];
  const T precision = theta[5 + draw.dim];
  const T constant = theta[6 + draw.dim];
  alignas(64) T effect[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    effect[l] = effects[block.integers[l]];
    block.own[l] = 2 + block.integers[l];
  }
  for (int v = 0; v < kVectors<T>; ++v) {
    const Vector<T> x = load_part(block.columns, v);
    const Vector<T> scaled = load_part(effect, v) * spread;
    const Vector<T> gap = load_part(block.columns + kLanes, v) - theta[0] - scaled - x * slope;
    const Vector<T> residual = gap * precision;
    const Vector<T> square = gap * residual;
    store_part(block.log_density, v, constant - T(0.5) * square);
    store_part(block.gradient, v, residual);
    store_part(block.gradient + kLanes, v, residual * scaled);
    store_part(block.gradient + 2 * kLanes, v, residual * spread);
    store_part(block.gradient + 3 * kLanes, v, residual * x);
    store_part(block.gradient + 4 * kLanes, v, square - T(1));
  }
}

constexpr int kPoint = 5;

// Parameters: mean; then the Cholesky factor by rows, its diagonal as logarithms. Columns: a point.
// Numbers: mean, factor by rows, inverse diagonal, the density's constant.
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
void multivariate_block(const HandDraw<T>& draw, const HandBlock<T>& block) {
  const T* mean = draw.numbers.data();
  const T* factor = mean + kPoint;
  const T* inverse = factor + kPoint * (kPoint + 1) / 2;
  const T constant = inverse[kPoint];
  for (int v = 0; v < kVectors<T>; ++v) {
    Vector<T> z[kPoint];
    Vector<T> squares{};
    for (int i = 0; i < kPoint; ++i) {
      Vector<T> gap = load_part(block.columns + i * kLanes, v) - mean[i];
      for (int j = 0; j < i; ++j) gap -= factor[i * (i + 1) / 2 + j] * z[j];
      z[i] = gap * inverse[i];
      squares = multiply_add(z[i], z[i], squares);
    }
    store_part(block.log_density, v, constant - T(0.5) * squares);
    Vector<T> w[kPoint];
    for (int i = kPoint - 1; i >= 0; --i) {
      Vector<T> rest = z[i];
      for (int j = i + 1; j < kPoint; ++j) rest -= factor[j * (j + 1) / 2 + i] * w[j];
      w[i] = rest * inverse[i];
      store_part(block.gradient + i * kLanes, v, w[i]);
    }
    T* out = block.gradient + kPoint * kLanes;
    for (int i = 0; i < kPoint; ++i) {
      for (int j = 0; j < i; ++j, out += kLanes) store_part(out, v, w[i] * z[j]);
      store_part(out, v, factor[i * (i + 1) / 2 + i] * w[i] * z[i] - T(1));
      out += kLanes;
    }
  }
}

}  // namespace

template <class T>
HandModel<T> mixture_by_hand() {
  return {&begin_mixture<T>, &mixture_block<T>};
}
template <class T>
HandModel<T> hierarchical_by_hand() {
  return {&begin_hierarchical<T>, &hierarchical_block<T>};
}
template <class T>
HandModel<T> multivariate_by_hand() {
  return {&begin_multivariate<T>, &multivariate_block<T>};
}

template HandModel<float> mixture_by_hand();
template HandModel<double> mixture_by_hand();
template HandModel<float> hierarchical_by_hand();
template HandModel<double> hierarchical_by_hand();
template HandModel<float> multivariate_by_hand();
template HandModel<double> multivariate_by_hand();

}  // namespace dpvi
