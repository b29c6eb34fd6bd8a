// Times the path from the text of a 50-line Stan program to tapes that are ready to evaluate
// records: reading, checking, executing on zero records and on one, and compiling, including the
// prior. A user waits this long before any data is opened. The path is timed once in a fresh
// process, as CPU time, and then as the best of several rounds. The reference is the time to
// tokenise the same text. The model's log density at one point is checked first.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <numbers>
#include <string>
#include <vector>

#include <benchmarks/best_time.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/stan/run/stan_model.hpp>
#include <dpvi/stan/syntax/token.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {
namespace {

const std::string kProgram =
    R"(// Deaths in intensive care, by hospital, with skewed scores and censored stays.
functions {
  real skewed_lpdf(real y, real location, real scale, real shape) {
    real z = (y - location) / scale;
    return std_normal_lpdf(z) + log(2) - log(scale) + normal_lcdf(shape * z | 0, 1);
  }
}
data {
  int<lower=0> N;
  int<lower=1> J;
  int<lower=1> D;
  matrix[N, D] x;
  vector[N] score;
  vector<lower=0>[N] stay;
  array[N] int<lower=0, upper=1> censored;
  array[N] int<lower=1, upper=J> hospital;
  array[N] int<lower=0, upper=1> died;
}
transformed data {
  real log_scale = log(10);
}
parameters {
  real alpha;
  vector[D] beta;
  vector[J] effect;
  real<lower=0> tau;
  real<lower=0> sigma;
  real shape;
  real<lower=0> kappa;
}
transformed parameters {
  vector[J] level = alpha + tau * effect;
}
model {
  vector[N] eta = level[hospital] + x * beta;
  alpha ~ normal(0, 2);
  beta ~ student_t(4, 0, 1);
  effect ~ std_normal();
  tau ~ normal(0, 1);
  sigma ~ lognormal(0, 1);
  shape ~ normal(0, 2);
  kappa ~ gamma(2, 1);
  died ~ bernoulli_logit(eta);
  for (n in 1:N) {
    score[n] ~ skewed(0.5 * eta[n], sigma, shape);
    if (censored[n] == 1)
      target += weibull_lccdf(stay[n] | kappa, exp(log_scale - eta[n]));
    else
      target += weibull_lpdf(stay[n] | kappa, exp(log_scale - eta[n]));
  }
}
)";

constexpr std::int32_t kHospitals = 200;
constexpr std::int32_t kCovariates = 8;

struct Ready {
  StanModel model;
  RecordTape record;
  UniformFunction prior;
};

Ready start_up() {
  CheckedProgram checked = read_stan_program("program", kProgram, stan_functions());
  throw_if_errors(checked.findings, checked.source);
  StanModelOptions options;
  options.known["J"] = {{}, {kHospitals}};
  options.known["D"] = {{}, {kCovariates}};
  const DataBlock data = describe_data_block(checked.program, "N", checked.findings);
  StanModel model = build_stan_model(checked, data, stan_functions(), options);
  RecordTape record(*model.graph, model.record, model.free_size);
  UniformFunction prior(*model.graph, model.prior, model.free_size);
  return {std::move(model), std::move(record), std::move(prior)};
}

// All unconstrained parameters are 0; the record's three terms are computed by hand.
bool answer_is_right(const Ready& ready) {
  const std::vector<double> theta(static_cast<std::size_t>(ready.model.free_size), 0.0);
  const std::vector<double> reals(kCovariates + 2, 1.0);
  const std::vector<std::int32_t> ints = {0, 3, 1};
  std::vector<double> columns(static_cast<std::size_t>(ready.record.real_columns()));
  std::vector<std::int32_t> indices(static_cast<std::size_t>(ready.record.int_columns()));
  RecordPreparer(ready.record).prepare({reals, ints}, columns.data(), indices.data());
  std::vector<double> lanes;
  std::vector<std::int32_t> index_lanes;
  for (const double value : columns) lanes.insert(lanes.end(), kLanes, value);
  for (const std::int32_t value : indices) index_lanes.insert(index_lanes.end(), kLanes, value);
  TapeWorkspace<double> workspace(ready.record);
  ready.record.begin_draw(workspace, theta);
  double log_density[kLanes];
  ready.record.evaluate_block_value(workspace, {lanes.data(), index_lanes.data()}, log_density);
  const double died = -std::log(2.0);
  const double score = -0.5 - 0.5 * std::log(2.0 * std::numbers::pi);  // skewness 0
  const double stay = -std::log(10.0) - 0.1;                           // exponential with mean 10
  return std::fabs(log_density[0] - (died + score + stay)) < 1e-12;
}

double milliseconds_of_first() {
  const std::clock_t start = std::clock();
  const Ready ready = start_up();
  const std::clock_t end = std::clock();
  if (!answer_is_right(ready)) {
    fmt::print(stderr, "start_up: the model's log density is wrong\n");
    std::exit(EXIT_FAILURE);
  }
  return 1e3 * static_cast<double>(end - start) / CLOCKS_PER_SEC;
}

void run() {
  const double first = milliseconds_of_first();
  const double again = best_time([] {
                         const Ready ready = start_up();
                         keep(&ready);
                       }) /
                       1e6;
  const SourceText source("program", kProgram);
  const double tokens = best_time([&] {
                          Findings findings;
                          keep(tokenize(source, findings).data());
                        }) /
                        1e6;
  fmt::print("first {:.2f} ms, again {:.2f} ms, {:.0f} x cutting it into tokens ({:.4f} ms)\n",
             first, again, again / tokens, tokens);
}

}  // namespace
}  // namespace dpvi

int main() { dpvi::run(); }
