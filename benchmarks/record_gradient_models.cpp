#include <benchmarks/record_gradient_models.hpp>

#include <cmath>

namespace dpvi {
namespace {

constexpr const char* kLogistic = R"(
data { int N; int D; matrix[N, D] x; array[N] int<lower=0, upper=1> y; }
parameters { real alpha; vector[D] beta; }
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 1);
  y ~ bernoulli_logit(alpha + x * beta);
}
)";

constexpr const char* kMixture = R"(
data { int N; int D; array[N] vector[D] x; }
parameters { vector[5] a; vector<lower=0>[5] sigma; array[5] vector[D] mu; }
model {
  vector[5] log_weight = log_softmax(a);
  a ~ normal(0, 1);
  sigma ~ lognormal(0, 1);
  for (k in 1:5) mu[k] ~ normal(0, 5);
  for (n in 1:N) {
    vector[5] term = log_weight;
    for (k in 1:5) term[k] += normal_lpdf(x[n] | mu[k], sigma[k]);
    target += log_sum_exp(term);
  }
}
)";

constexpr const char* kHierarchical = R"(
data { int N; int D; array[N] int<lower=1, upper=D> group; vector[N] x; vector[N] y; }
parameters { real mu; real<lower=0> tau; vector[D] effect; real slope; real<lower=0> sigma; }
model {
  mu ~ normal(0, 5);
  tau ~ normal(0, 1);
  effect ~ normal(0, 1);
  slope ~ normal(0, 5);
  sigma ~ normal(0, 1);
  y ~ normal(mu + tau * effect[group] + slope * x, sigma);
}
)";

constexpr const char* kPoisson = R"(
data { int N; int D; matrix[N, D] x; array[N] int<lower=0> y; }
parameters { real alpha; vector[D] beta; }
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 1);
  y ~ poisson_log_glm(x, alpha, beta);
}
)";

constexpr const char* kSurvival = R"(
data {
  int N;
  int D;
  vector<lower=0>[N] t;
  matrix[N, D] x;
  array[N] int<lower=0, upper=1> event;
}
parameters { vector[D] beta; real<lower=0> shape; real mu; }
model {
  vector[N] eta = mu + x * beta;
  beta ~ normal(0, 2);
  shape ~ gamma(1, 1);
  mu ~ normal(0, 10);
  for (n in 1:N) {
    if (event[n] == 1)
      target += weibull_lpdf(t[n] | shape, exp(-eta[n] / shape));
    else
      target += weibull_lccdf(t[n] | shape, exp(-eta[n] / shape));
  }
}
)";

constexpr const char* kMultivariate = R"(
data { int N; int D; array[N] vector[D] x; }
parameters { vector[D] mu; cholesky_factor_cov[D] L; }
model {
  mu ~ normal(0, 5);
  x ~ multi_normal_cholesky(mu, L);
}
)";

std::vector<double> normals(int count, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> numbers(static_cast<std::size_t>(count));
  for (double& number : numbers) number = normal(random);
  return numbers;
}

BenchRecord logistic_record(int dim, std::mt19937_64& random) {
  const std::vector<double> x = normals(dim, random);
  const auto y = static_cast<std::int32_t>(random() % 2);
  BenchRecord record{x, {y}, x, {}};
  record.by_hand.push_back(y);
  return record;
}

BenchRecord point(int dim, std::mt19937_64& random) {
  const std::vector<double> x = normals(dim, random);
  return {x, {}, x, {}};
}

BenchRecord grouped_record(int groups, std::mt19937_64& random) {
  const std::vector<double> numbers = normals(2, random);
  const auto group = static_cast<std::int32_t>(random() % static_cast<unsigned>(groups));
  return {numbers, {group + 1}, numbers, {group}};
}

BenchRecord count_record(int dim, std::mt19937_64& random) {
  const std::vector<double> x = normals(dim, random);
  const auto y = static_cast<std::int32_t>(random() % 8);
  BenchRecord record{x, {y}, x, {}};
  record.by_hand.push_back(y);
  record.by_hand.push_back(std::lgamma(y + 1.0));
  return record;
}

BenchRecord survival_record(int dim, std::mt19937_64& random) {
  const std::vector<double> x = normals(dim, random);
  const double log_time = normals(1, random)[0];
  const auto seen = static_cast<std::int32_t>(random() % 2);
  BenchRecord record{{std::exp(log_time)}, {seen}, {log_time}, {}};
  record.reals.insert(record.reals.end(), x.begin(), x.end());
  record.by_hand.insert(record.by_hand.end(), x.begin(), x.end());
  record.by_hand.push_back(seen);
  return record;
}

BenchModel sized(const char* name, int dim, const char* program,
                 BenchRecord (*invent)(int, std::mt19937_64&), HandModel<float> (*in_single)(),
                 HandModel<double> (*in_double)()) {
  return {name, dim, program, {{"D", dim}}, invent, in_single, in_double};
}

}  // namespace

std::vector<BenchModel> bench_models() {
  std::vector<BenchModel> models;
  for (const int dim : {10, 100}) {
    models.push_back(sized("logistic", dim, kLogistic, &logistic_record, &logistic_by_hand<float>,
                           &logistic_by_hand<double>));
  }
  for (const int dim : {10, 100}) {
    models.push_back(
        sized("mixture", dim, kMixture, &point, &mixture_by_hand<float>, &mixture_by_hand<double>));
  }
  models.push_back(sized("hierarchical", 1000, kHierarchical, &grouped_record,
                         &hierarchical_by_hand<float>, &hierarchical_by_hand<double>));
  models.push_back(sized("poisson", 10, kPoisson, &count_record, &poisson_by_hand<float>,
                         &poisson_by_hand<double>));
  models.push_back(sized("survival", 10, kSurvival, &survival_record, &survival_by_hand<float>,
                         &survival_by_hand<double>));
  models.push_back(sized("multivariate", 5, kMultivariate, &point, &multivariate_by_hand<float>,
                         &multivariate_by_hand<double>));
  return models;
}

}  // namespace dpvi
