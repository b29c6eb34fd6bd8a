#define DPVI_LANE_NAMESPACE lanes_by_hand
#include <benchmarks/record_gradient_by_hand.hpp>

#include <cmath>

#include <dpvi/tape/lanes/math.hpp>

namespace dpvi {
namespace {

using namespace lanes_by_hand;

using V = Vector<double>;
constexpr int kStep = kWidth<double>;

constexpr int kParts = kVectors<double>;

// Squared distances of a block of records to one mean.
void squared_distances(int dim, const double* mean, const double* block, V (&distance)[kParts]) {
  V odd[kParts] = {};
  for (V& x : distance) x = V{};
  int j = 0;
  for (; j + 1 < dim; j += 2) {
    for (int v = 0; v < kParts; ++v) {
      const V gap = load(block + j * kLanes + v * kStep) - mean[j];
      const V next_gap = load(block + (j + 1) * kLanes + v * kStep) - mean[j + 1];
      distance[v] = multiply_add(gap, gap, distance[v]);
      odd[v] = multiply_add(next_gap, next_gap, odd[v]);
    }
  }
  for (int v = 0; v < kParts; ++v) {
    if (j < dim) {
      const V gap = load(block + j * kLanes + v * kStep) - mean[j];
      distance[v] = multiply_add(gap, gap, distance[v]);
    }
    distance[v] += odd[v];
  }
}

// Log density of one vector of records; the weights become each component's pull on its mean.
void combine(int dim, const MixtureDraw& draw, V (&distance)[5][kParts], int v, double* log_density,
             double* gradient, V (&pull)[5][kParts]) {
  V term[5];
  for (int k = 0; k < 5; ++k) {
    term[k] =
        multiply_add(distance[k][v], repeat(-0.5 * draw.precision[k]), repeat(draw.constant[k]));
  }
  V largest = term[0];
  for (int k = 1; k < 5; ++k) largest = term[k] > largest ? term[k] : largest;
  V total{};
  for (int k = 0; k < 5; ++k) {
    term[k] = exp<double>(term[k] - largest);
    total += term[k];
  }
  store(log_density + v * kStep, log<double>(total) + largest);
  const V scale = 1.0 / total;
  for (int k = 0; k < 5; ++k) {
    const V share = term[k] * scale;
    store(gradient + k * kLanes + v * kStep, share - draw.weight[k]);
    pull[k][v] = share * draw.precision[k];
    store(gradient + (5 + k) * kLanes + v * kStep,
          pull[k][v] * distance[k][v] - share * static_cast<double>(dim));
  }
}

}  // namespace

void logistic_block(int dim, const double* theta, const double* block, double* log_density,
                    double* gradient) {
  // Even and odd covariates apart, so that no sum waits for the one before.
  V eta[kParts];
  V odd[kParts] = {};
  for (V& x : eta) x = repeat(theta[0]);
  int j = 0;
  for (; j + 1 < dim; j += 2) {
    for (int v = 0; v < kParts; ++v) {
      const double* x = block + j * kLanes + v * kStep;
      eta[v] = multiply_add(load(x), repeat(theta[1 + j]), eta[v]);
      odd[v] = multiply_add(load(x + kLanes), repeat(theta[2 + j]), odd[v]);
    }
  }
  for (int v = 0; v < kParts; ++v) {
    if (j < dim) {
      eta[v] = multiply_add(load(block + j * kLanes + v * kStep), repeat(theta[1 + j]), eta[v]);
    }
    eta[v] += odd[v];
  }
  V residual[kParts];
  for (int v = 0; v < kParts; ++v) {
    const V sign = load(block + dim * kLanes + v * kStep);
    const V x = sign * eta[v];
    const Logistic<double> logistic(x);
    store(log_density + v * kStep,
          keep<double>(x, x < 0.0) - log1p_of_fraction<double>(logistic.decay));
    residual[v] = sign * logistic.one_minus_inv_logit(x);
    store(gradient + v * kStep, residual[v]);
  }
  for (j = 0; j < dim; ++j) {
    for (int v = 0; v < kParts; ++v) {
      store(gradient + (1 + j) * kLanes + v * kStep,
            residual[v] * load(block + j * kLanes + v * kStep));
    }
  }
}

MixtureDraw begin_mixture(int dim, const double* theta) {
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

void mixture_block(int dim, const MixtureDraw& draw, const double* theta, const double* block,
                   double* log_density, double* gradient) {
  const double* means = theta + 10;
  V distance[5][kParts];
  V pull[5][kParts];
  for (int k = 0; k < 5; ++k) squared_distances(dim, means + k * dim, block, distance[k]);
  for (int v = 0; v < kParts; ++v) {
    combine(dim, draw, distance, v, log_density, gradient, pull);
  }
  for (int k = 0; k < 5; ++k) {
    const V own[kParts] = {pull[k][0], pull[k][1], pull[k][2], pull[k][3]};
    double* out = gradient + (10 + k * dim) * kLanes;
    for (int j = 0; j < dim; ++j) {
      const double mean = means[k * dim + j];
      for (int v = 0; v < kParts; ++v) {
        store(out + j * kLanes + v * kStep, own[v] * (load(block + j * kLanes + v * kStep) - mean));
      }
    }
  }
}

}  // namespace dpvi
