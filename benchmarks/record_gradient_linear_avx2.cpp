#include <benchmarks/record_gradient_clip.hpp>

#include <cmath>

// Logistic and Poisson regression, and Weibull regression with censoring.
namespace dpvi {
namespace {

using namespace lanes_by_hand;

// Parameters: intercept, coefficients.
template <class T>
HandDraw<T> begin_linear(int dim, const std::vector<double>& theta) {
  return {dim, rounded<T>(theta)};
}

template <class T>
std::vector<ProductRun<T>> linear_products(const HandDraw<T>& draw, const T* columns) {
  return {{1, static_cast<std::size_t>(draw.dim), columns, kLanes, nullptr, nullptr}};
}

// Computes eta and the squared length of the columns.
template <class T>
[[gnu::always_inline]] inline void predictor_and_squares(int dim, T intercept,
                                                         const T* coefficients, const T* x,
                                                         Row<T>& eta, Quads& squares) {
  Row<T> odd = {};
  for (Vector<T>& part : eta) part = repeat(intercept);
  for (__m256d& part : squares) part = _mm256_setzero_pd();
  for (int first = 0; first < dim; first += 64) {
    SquareParts<T> parts;
    const int end = first + 64 < dim ? first + 64 : dim;
    const auto take = [&](int j, int place, Row<T>& sum) __attribute__((always_inline)) {
      for (int v = 0; v < kVectors<T>; ++v) {
        const Vector<T> column = load_part(x + j * kLanes, v);
        sum[v] = multiply_add(column, repeat(coefficients[j]), sum[v]);
        parts.add(place, v, column);
      }
    };
    int j = first;
    for (; j + 4 <= end; j += 4) {
      take(j, 0, eta);
      take(j + 1, 1, odd);
      take(j + 2, 2, eta);
      take(j + 3, 3, odd);
    }
    if (j < end) take(j, 0, eta);
    if (j + 1 < end) take(j + 1, 1, odd);
    if (j + 2 < end) take(j + 2, 2, eta);
    Quads more;
    parts.total(more);
    for (int part = 0; part < 4; ++part) squares[part] = _mm256_add_pd(squares[part], more[part]);
  }
  for (int v = 0; v < kVectors<T>; ++v) eta[v] += odd[v];
}

// squares += size^2 * of_columns, if size is not 0.
[[gnu::always_inline]] inline void add_product(Quads& squares, const Quads& size,
                                               const Quads& of_columns) {
  for (int part = 0; part < 4; ++part) {
    const __m256d product = _mm256_mul_pd(_mm256_mul_pd(size[part], size[part]), of_columns[part]);
    squares[part] = _mm256_add_pd(squares[part], product);
  }
}

// Adds residual * (1, x).
template <class T>
[[gnu::always_inline]] inline bool add_linear(int dim, const HandTarget& target,
                                              const Row<T>& residual, const T* x,
                                              const Quads& of_columns, const HandSums& sums) {
  Quads size, squares, factor;
  widen(residual, size);
  SquareParts<T> intercept;
  for (int v = 0; v < kVectors<T>; ++v) intercept.add(0, v, residual[v]);
  intercept.total(squares);
  add_product(squares, size, of_columns);
  factors_of(target, squares, factor);
  Adder<T> adder(sums.rows);
  adder.multiply_by(factor);
  adder.add(residual);
  adder.multiply_by(factor, size);
  for (int j = 0; j < dim; ++j) adder.add(x + j * kLanes);
  return adder.all_within(target.bound);
}

// Returns the derivative of the log density with respect to eta, and sets the log density.
template <class T>
[[gnu::always_inline]] inline Vector<T> logistic_residual(Vector<T> outcome, Vector<T> eta,
                                                          Vector<T>& log_density) {
  const Vector<T> sign = outcome * T(2) - T(1);
  const Vector<T> x = sign * eta;
  const Logistic<T> logistic(x);
  log_density = keep<T>(x, x < T(0)) - log1p_of_fraction<T>(logistic.decay);
  return sign * logistic.one_minus_inv_logit(x);
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
    Vector<T> log_density;
    residual[v] = logistic_residual<T>(load_part(outcome, v), eta[v], log_density);
    store_part(block.log_density, v, log_density);
  }
  linear_gradient(draw.dim, residual, block.columns, block.factors, block.gradient);
}

template <class T>
bool logistic_add(const HandDraw<T>& draw, const HandTarget& target, const T* columns,
                  const std::int32_t*, const HandSums& sums) {
  const T* theta = draw.numbers.data();
  const T* outcome = columns + draw.dim * kLanes;
  Row<T> eta, residual;
  Quads of_columns;
  predictor_and_squares(draw.dim, theta[0], theta + 1, columns, eta, of_columns);
  for (int v = 0; v < kVectors<T>; ++v) {
    Vector<T> log_density;
    residual[v] = logistic_residual<T>(load_part(outcome, v), eta[v], log_density);
  }
  return add_linear(draw.dim, target, residual, columns, of_columns, sums);
}

template <class T>
[[gnu::always_inline]] inline Vector<T> poisson_residual(const T* count, Vector<T> eta, int v,
                                                         Vector<T>& log_density) {
  const Vector<T> y = load_part(count, v);
  const Vector<T> mean = exp<T>(eta);
  log_density = y * eta - mean - load_part(count + kLanes, v);
  return y - mean;
}

// Columns: covariates, count, log factorial of the count.
template <class T>
void poisson_block(const HandDraw<T>& draw, const HandBlock<T>& block) {
  const T* theta = draw.numbers.data();
  Row<T> eta;
  linear_predictor(draw.dim, theta[0], theta + 1, block.columns, eta);
  Row<T> residual;
  for (int v = 0; v < kVectors<T>; ++v) {
    Vector<T> log_density;
    residual[v] = poisson_residual(block.columns + draw.dim * kLanes, eta[v], v, log_density);
    store_part(block.log_density, v, log_density);
  }
  linear_gradient(draw.dim, residual, block.columns, block.factors, block.gradient);
}

template <class T>
bool poisson_add(const HandDraw<T>& draw, const HandTarget& target, const T* columns,
                 const std::int32_t*, const HandSums& sums) {
  const T* theta = draw.numbers.data();
  Row<T> eta, residual;
  Quads of_columns;
  predictor_and_squares(draw.dim, theta[0], theta + 1, columns, eta, of_columns);
  for (int v = 0; v < kVectors<T>; ++v) {
    Vector<T> log_density;
    residual[v] = poisson_residual(columns + draw.dim * kLanes, eta[v], v, log_density);
  }
  return add_linear(draw.dim, target, residual, columns, of_columns, sums);
}

// Parameters: coefficients, log shape, intercept. Columns: log time, covariates, event indicator.
// The scale is exp(-eta / shape), so (t / scale)^shape = exp(shape log t + eta).
template <class T>
struct Survival {
  Survival(const HandDraw<T>& draw, const T* columns)
      : dim(draw.dim),
        log_shape(draw.numbers[static_cast<std::size_t>(dim)]),
        shape(draw.numbers[static_cast<std::size_t>(dim) + 2]),
        log_time(columns),
        x(columns + kLanes),
        event(x + dim * kLanes) {}

  [[gnu::always_inline]] void residuals(const Row<T>& eta) {
    for (int v = 0; v < kVectors<T>; ++v) {
      const Vector<T> lt = load_part(log_time, v);
      const Vector<T> seen = load_part(event, v);
      const Vector<T> power = exp<T>(multiply_add(lt, repeat(shape), eta[v]));
      residual[v] = seen - power;
      const Vector<T> log_hazard = log_shape + (shape - T(1)) * lt + eta[v];
      log_density[v] = seen * log_hazard - power;
      by_shape[v] = seen + shape * lt * residual[v];
    }
  }

  int dim;
  T log_shape, shape;
  const T *log_time, *x, *event;
  Row<T> residual, by_shape, log_density;
};

template <class T>
std::vector<ProductRun<T>> survival_products(const HandDraw<T>& draw, const T* columns) {
  return {{0, static_cast<std::size_t>(draw.dim), columns + kLanes, kLanes, nullptr, nullptr}};
}

template <class T>
void survival_block(const HandDraw<T>& draw, const HandBlock<T>& block) {
  Survival<T> of(draw, block.columns);
  const T* theta = draw.numbers.data();
  Row<T> eta;
  linear_predictor(of.dim, theta[of.dim + 1], theta, of.x, eta);
  of.residuals(eta);
  T* rest = block.gradient + of.dim * kLanes;
  for (int v = 0; v < kVectors<T>; ++v) {
    store_part(block.log_density, v, of.log_density[v]);
    store_part(rest, v, of.by_shape[v]);
    store_part(rest + kLanes, v, of.residual[v]);
    if (block.factors) store_part(block.gradient, v, of.residual[v]);
    for (int j = 0; j < of.dim && !block.factors; ++j) {
      store_part(block.gradient + j * kLanes, v, of.residual[v] * load_part(of.x + j * kLanes, v));
    }
  }
}

template <class T>
bool survival_add(const HandDraw<T>& draw, const HandTarget& target, const T* columns,
                  const std::int32_t*, const HandSums& sums) {
  Survival<T> of(draw, columns);
  const T* theta = draw.numbers.data();
  Row<T> eta;
  Quads of_columns, size, squares, rest, factor;
  predictor_and_squares(of.dim, theta[of.dim + 1], theta, of.x, eta, of_columns);
  of.residuals(eta);
  widen(of.residual, size);
  for (__m256d& part : squares) part = _mm256_setzero_pd();
  add_product(squares, size, of_columns);
  SquareParts<T> others;
  for (int v = 0; v < kVectors<T>; ++v) {
    others.add(0, v, of.by_shape[v]);
    others.add(1, v, of.residual[v]);
  }
  others.total(rest);
  for (int part = 0; part < 4; ++part) squares[part] = _mm256_add_pd(squares[part], rest[part]);
  factors_of(target, squares, factor);
  Adder<T> adder(sums.rows);
  adder.multiply_by(factor, size);
  for (int j = 0; j < of.dim; ++j) adder.add(of.x + j * kLanes);
  adder.multiply_by(factor);
  adder.add(of.by_shape);
  adder.add(of.residual);
  return adder.all_within(target.bound);
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
  return {&begin_linear<T>, &logistic_block<T>, &logistic_add<T>, &linear_products<T>};
}
template <class T>
HandModel<T> poisson_by_hand() {
  return {&begin_linear<T>, &poisson_block<T>, &poisson_add<T>, &linear_products<T>};
}
template <class T>
HandModel<T> survival_by_hand() {
  return {&begin_survival<T>, &survival_block<T>, &survival_add<T>, &survival_products<T>};
}

template HandModel<float> logistic_by_hand();
template HandModel<double> logistic_by_hand();
template HandModel<float> poisson_by_hand();
template HandModel<double> poisson_by_hand();
template HandModel<float> survival_by_hand();
template HandModel<double> survival_by_hand();

}  // namespace dpvi
