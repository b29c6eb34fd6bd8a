#pragma once

#define DPVI_LANE_NAMESPACE lanes_by_hand
#include <benchmarks/record_gradient_by_hand.hpp>
#include <dpvi/tape/lanes/math.hpp>

// Shared by the hand-written models.
namespace dpvi::lanes_by_hand {

template <class T>
using Row = Vector<T>[kVectors<T>];

template <class T>
[[gnu::always_inline]] inline Vector<T> load_part(const T* row, int v) {
  return load(row + v * kWidth<T>);
}

template <class T>
[[gnu::always_inline]] inline void store_part(T* row, int v, Vector<T> value) {
  store(row + v * kWidth<T>, value);
}

// intercept + x * coefficients. Even and odd columns are summed separately to shorten the
// dependency chain.
template <class T>
[[gnu::always_inline]] inline void linear_predictor(int dim, T intercept, const T* coefficients,
                                                    const T* x, Row<T>& eta) {
  Row<T> odd = {};
  for (Vector<T>& part : eta) part = repeat(intercept);
  int j = 0;
  for (; j + 1 < dim; j += 2) {
    for (int v = 0; v < kVectors<T>; ++v) {
      const T* column = x + j * kLanes;
      eta[v] = multiply_add(load_part(column, v), repeat(coefficients[j]), eta[v]);
      odd[v] = multiply_add(load_part(column + kLanes, v), repeat(coefficients[j + 1]), odd[v]);
    }
  }
  for (int v = 0; v < kVectors<T>; ++v) {
    if (j < dim) {
      eta[v] = multiply_add(load_part(x + j * kLanes, v), repeat(coefficients[j]), eta[v]);
    }
    eta[v] += odd[v];
  }
}

// gradient = residual * (1, x), or the residual alone if only factors are wanted.
template <class T>
[[gnu::always_inline]] inline void linear_gradient(int dim, const Row<T>& residual, const T* x,
                                                   bool factor_only, T* gradient) {
  Row<T> own;
  for (int v = 0; v < kVectors<T>; ++v) {
    own[v] = residual[v];
    store_part(gradient, v, own[v]);
    if (factor_only) store_part(gradient + kLanes, v, own[v]);
  }
  if (factor_only) return;
  for (int j = 0; j < dim; ++j) {
    for (int v = 0; v < kVectors<T>; ++v) {
      store_part(gradient + (1 + j) * kLanes, v, own[v] * load_part(x + j * kLanes, v));
    }
  }
}

template <class T>
std::vector<T> rounded(const std::vector<double>& numbers) {
  std::vector<T> result;
  for (const double number : numbers) result.push_back(static_cast<T>(number));
  return result;
}

}  // namespace dpvi::lanes_by_hand
