#include <benchmarks/record_gradient_lanes.hpp>

#include <cmath>

// Logistic and Poisson regression, Weibull regression with censoring.
namespace dpvi {
namespace {

using namespace lanes_by_hand;

// Parameters: intercept, coefficients.
template <class T>
HandDraw<T> begin_linear(int dim, const std::vector<double>& theta) {
  return {dim, rounded<T>(theta)};
}

// Columns: covariates, outcome.
template <class T>
void logistic_block(const HandDraw<T>& draw, const HandBlock<T>& block) {
  const T* theta = draw.numbers.data();
  const T* outcome = block.columns + draw.dim * kLanes;
  Row<T> eta;
  linear_predictor(draw.dim, theta[0], theta + 1, block.columns, eta);
  Row<T> residual;
  for (int v = 0; v < kVectors<T>; ++v) {
    const Vector<T> sign = load_part(outcome, v) * T(2) - T(1);
    const Vector<T> x = sign * eta[v];
    const Logistic<T> logistic(x);
    store_part(block.log_density, v, keep<T>(x, x < T(0)) - log1p_of_fraction<T>(logistic.decay));
    residual[v] = sign * logistic.one_minus_inv_logit(x);
  }
  linear_gradient(draw.dim, residual, block.columns, block.factors, block.gradient);
}

// Columns: covariates, count, log factorial of the count.
template <class T>
void poisson_block(const HandDraw<T>& draw, const HandBlock<T>& block) {
  const T* theta = draw.numbers.data();
  const T* count = block.columns + draw.dim * kLanes;
  Row<T> eta;
  linear_predictor(draw.dim, theta[0], theta + 1, block.columns, eta);
  Row<T> residual;
  for (int v = 0; v < kVectors<T>; ++v) {
    const Vector<T> y = load_part(count, v);
    const Vector<T> mean = exp<T>(eta[v]);
    residual[v] = y - mean;
    store_part(block.log_density, v, y * eta[v] - mean - load_part(count + kLanes, v));
  }
  linear_gradient(draw.dim, residual, block.columns, block.factors, block.gradient);
}

// Parameters: coefficients, log shape, intercept. Columns: log time, covariates, whether the event
// was seen. The scale is exp(-eta / shape), so (t / scale)^shape = exp(shape log t + eta).
template <class T>
void survival_block(const HandDraw<T>& draw, const HandBlock<T>& block) {
  const T* theta = draw.numbers.data();
  const int dim = draw.dim;
  const T log_shape = theta[dim];
  const T shape = theta[dim + 2];
  const T* log_time = block.columns;
  const T* x = block.columns + kLanes;
  const T* event = x + dim * kLanes;
  Row<T> eta;
  linear_predictor(dim, theta[dim + 1], theta, x, eta);
  Row<T> residual;
  T* rest = block.gradient + dim * kLanes;
  for (int v = 0; v < kVectors<T>; ++v) {
    const Vector<T> lt = load_part(log_time, v);
    const Vector<T> seen = load_part(event, v);
    const Vector<T> power = exp<T>(multiply_add(lt, repeat(shape), eta[v]));
    residual[v] = seen - power;
    const Vector<T> log_hazard = log_shape + (shape - T(1)) * lt + eta[v];
    store_part(block.log_density, v, seen * log_hazard - power);
    store_part(rest, v, seen + shape * lt * residual[v]);
    store_part(rest + kLanes, v, residual[v]);
  }
  for (int j = 0; j < dim; ++j) {
    for (int v = 0; v < kVectors<T>; ++v) {
      store_part(block.gradient + j * kLanes, v, residual[v] * load_part(x + j * kLanes, v));
    }
  }
}

template <class T>
HandDraw<T> begin_survival(int dim, const std::vector<double>& theta) {
  HandDraw<T> draw{dim, rounded<T>(theta)};
  draw.numbers.push_back(static_cast<T>(std::exp(theta[static_cast<std::size_t>(dim)])));
  return draw;
}

}  // namespace

template <class T>
HandModel<T> logistic_by_hand() {
  return {&begin_linear<T>, &logistic_block<T>};
}
template <class T>
HandModel<T> poisson_by_hand() {
  return {&begin_linear<T>, &poisson_block<T>};
}
template <class T>
HandModel<T> survival_by_hand() {
  return {&begin_survival<T>, &survival_block<T>};
}

template HandModel<float> logistic_by_hand();
template HandModel<double> logistic_by_hand();
template HandModel<float> poisson_by_hand();
template HandModel<double> poisson_by_hand();
template HandModel<float> survival_by_hand();
template HandModel<double> survival_by_hand();

}  // namespace dpvi
