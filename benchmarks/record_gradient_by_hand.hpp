#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

// What the tape is measured against: the models written out for one block of 16 records, with
// nothing that the model does not need. AVX2 and FMA throughout.
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define DPVI_LANE_NAMESPACE lanes_by_hand
#include <dpvi/tape/lanes/math.hpp>

namespace dpvi::lanes_by_hand {

using V = Vector<double>;
inline constexpr int kStep = kWidth<double>;

// Columns: dim covariates, then the outcome as -1 or 1. Parameters: intercept, coefficients.
inline void logistic_block(int dim, const double* theta, const double* block, double* log_density,
                           double* gradient) {
  V eta[kVectors<double>];
  for (V& x : eta) x = repeat(theta[0]);
  for (int j = 0; j < dim; ++j) {
    const V coefficient = repeat(theta[1 + j]);
    for (int v = 0; v < kVectors<double>; ++v) {
      eta[v] = multiply_add(load(block + j * kLanes + v * kStep), coefficient, eta[v]);
    }
  }
  V residual[kVectors<double>];
  for (int v = 0; v < kVectors<double>; ++v) {
    const V sign = load(block + dim * kLanes + v * kStep);
    const V x = sign * eta[v];
    const Logistic<double> logistic(x);
    store(log_density + v * kStep,
          keep<double>(x, x < 0.0) - log1p_of_fraction<double>(logistic.decay));
    residual[v] = sign * logistic.one_minus_inv_logit(x);
    store(gradient + v * kStep, residual[v]);
  }
  for (int j = 0; j < dim; ++j) {
    for (int v = 0; v < kVectors<double>; ++v) {
      store(gradient + (1 + j) * kLanes + v * kStep,
            residual[v] * load(block + j * kLanes + v * kStep));
    }
  }
}

// What a mixture of five spherical normals computes once a draw.
struct MixtureDraw {
  double constant[5];  // log weight minus the log of the normalising constant
  double weight[5];
  double precision[5];  // 1 / variance
};

inline MixtureDraw begin_mixture(int dim, const double* theta) {
  MixtureDraw draw;
  double total = 0.0;
  for (int k = 0; k < 5; ++k) total += std::exp(theta[k]);
  for (int k = 0; k < 5; ++k) {
    draw.weight[k] = std::exp(theta[k]) / total;
    draw.precision[k] = std::exp(-2.0 * theta[5 + k]);
    draw.constant[k] = std::log(draw.weight[k]) - dim * (theta[5 + k] + 0.918938533204672742);
  }
  return draw;
}

// Squared distances of two vectors of records to all five means: every number of the record is
// loaded once.
inline void squared_distances(int dim, const double* means, const double* block, V (&near)[5],
                              V (&far)[5]) {
  for (int k = 0; k < 5; ++k) near[k] = far[k] = V{};
  for (int j = 0; j < dim; ++j) {
    const V y0 = load(block + j * kLanes);
    const V y1 = load(block + j * kLanes + kStep);
    for (int k = 0; k < 5; ++k) {
      const V mean = repeat(means[k * dim + j]);
      near[k] = multiply_add(y0 - mean, y0 - mean, near[k]);
      far[k] = multiply_add(y1 - mean, y1 - mean, far[k]);
    }
  }
}

// Log density of one vector of records; the weights become each component's pull on its mean.
inline void combine(int dim, const MixtureDraw& draw, V (&distance)[5], double* log_density,
                    double* gradient, V (&pull)[5]) {
  V term[5];
  for (int k = 0; k < 5; ++k) {
    term[k] = multiply_add(distance[k], repeat(-0.5 * draw.precision[k]), repeat(draw.constant[k]));
  }
  V largest = term[0];
  for (int k = 1; k < 5; ++k) largest = term[k] > largest ? term[k] : largest;
  V total{};
  for (int k = 0; k < 5; ++k) {
    term[k] = exp<double>(term[k] - largest);
    total += term[k];
  }
  store(log_density, log<double>(total) + largest);
  const V scale = 1.0 / total;
  for (int k = 0; k < 5; ++k) {
    const V share = term[k] * scale;
    store(gradient + k * kLanes, share - draw.weight[k]);
    pull[k] = share * draw.precision[k];
    store(gradient + (5 + k) * kLanes, pull[k] * distance[k] - share * static_cast<double>(dim));
  }
}

inline void mixture_block(int dim, const MixtureDraw& draw, const double* theta,
                          const double* block, double* log_density, double* gradient) {
  const double* means = theta + 10;
  V pulls[kVectors<double>][5];
  for (int v = 0; v < kVectors<double>; v += 2) {
    V near[5];
    V far[5];
    squared_distances(dim, means, block + v * kStep, near, far);
    combine(dim, draw, near, log_density + v * kStep, gradient + v * kStep, pulls[v]);
    combine(dim, draw, far, log_density + (v + 1) * kStep, gradient + (v + 1) * kStep,
            pulls[v + 1]);
  }
  for (int k = 0; k < 5; ++k) {
    double* out = gradient + (10 + k * dim) * kLanes;
    for (int j = 0; j < dim; ++j) {
      const V mean = repeat(means[k * dim + j]);
      for (int v = 0; v < kVectors<double>; ++v) {
        store(out + j * kLanes + v * kStep,
              pulls[v][k] * (load(block + j * kLanes + v * kStep) - mean));
      }
    }
  }
}

}  // namespace dpvi::lanes_by_hand
#pragma GCC pop_options
