#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include <dpvi/stan/functions/vector_draws.hpp>
#include <dpvi/stan/run/generated_draws.hpp>

#include "model_reading.hpp"

namespace dpvi {
namespace {

constexpr int kDraws = 4000;
// Tolerance of each of several hundred checks; chance alone does not reach it.
constexpr double kStandardErrors = 5.0;

UniformSource seeded(std::uint64_t seed) {
  auto engine = std::make_shared<std::mt19937_64>(seed);
  return [engine] { return (static_cast<double>((*engine)() >> 11) + 0.5) * 0x1p-53; };
}

// Evaluates a density or distribution function at known arguments.
double known_call(const std::string& name, const std::vector<double>& arguments) {
  GraphBuilder builder;
  std::vector<ShapedNode> nodes;
  for (const double argument : arguments) nodes.push_back({builder.constant(argument), 1, 1});
  return reference_values(builder.graph(), (*stan_functions().find(name))(builder, nodes), {})[0];
}

void expect_share(int hits, double probability, const std::string& what) {
  const double error = std::sqrt(probability * (1 - probability) / kDraws) + 1e-9;
  EXPECT_NEAR(static_cast<double>(hits) / kDraws, probability, kStandardErrors * error) << what;
}

std::vector<double> sample(const std::string& name, const std::vector<double>& parameters) {
  const UniformSource uniform = seeded(std::hash<std::string>()(name) % 1000);
  std::vector<double> draws;
  for (int i = 0; i < kDraws; ++i) draws.push_back(draw_scalar(uniform, name, parameters));
  return draws;
}

struct Distribution {
  std::string name;
  std::vector<double> parameters;
};

TEST(RandomDraws, ContinuousDrawsFollowTheDistributionFunction) {
  const std::vector<Distribution> distributions = {{"normal", {0.5, 2}},
                                                   {"std_normal", {}},
                                                   {"student_t", {3, 1, 2}},
                                                   {"cauchy", {0, 1}},
                                                   {"double_exponential", {1, 0.5}},
                                                   {"logistic", {-1, 2}},
                                                   {"gumbel", {0, 1.5}},
                                                   {"lognormal", {0.2, 0.7}},
                                                   {"chi_square", {3}},
                                                   {"inv_chi_square", {4}},
                                                   {"scaled_inv_chi_square", {5, 0.8}},
                                                   {"exponential", {2}},
                                                   {"gamma", {0.4, 2}},
                                                   {"gamma", {7, 0.5}},
                                                   {"inv_gamma", {3, 2}},
                                                   {"weibull", {1.5, 2}},
                                                   {"frechet", {3, 1}},
                                                   {"rayleigh", {1.2}},
                                                   {"pareto", {1, 3}},
                                                   {"pareto_type_2", {0, 1, 3}},
                                                   {"beta", {0.5, 2}},
                                                   {"beta_proportion", {0.3, 5}},
                                                   {"uniform", {-1, 4}},
                                                   {"skew_normal", {0, 1, 3}},
                                                   {"skew_double_exponential", {0, 1, 0.3}},
                                                   {"exp_mod_normal", {0, 1, 0.7}}};
  for (const auto& [name, parameters] : distributions) {
    std::vector<double> draws = sample(name, parameters);
    std::sort(draws.begin(), draws.end());
    for (const double share : {0.1, 0.5, 0.9}) {
      const double at = draws[static_cast<std::size_t>(share * kDraws)];
      std::vector<double> arguments{at};
      arguments.insert(arguments.end(), parameters.begin(), parameters.end());
      expect_share(static_cast<int>(share * kDraws),
                   std::exp(known_call(name + "_lcdf", arguments)), name);
    }
  }
}

TEST(RandomDraws, DiscreteDrawsFollowTheMassFunction) {
  const std::vector<Distribution> distributions = {{"bernoulli", {0.3}},
                                                   {"bernoulli_logit", {-0.5}},
                                                   {"binomial", {3, 0.4}},
                                                   {"binomial", {60, 0.05}},
                                                   {"binomial_logit", {40, -3}},
                                                   {"beta_binomial", {5, 2, 3}},
                                                   {"hypergeometric", {4, 6, 9}},
                                                   {"poisson", {1.7}},
                                                   {"poisson", {14}},
                                                   {"poisson_log", {0.3}},
                                                   {"neg_binomial", {1.5, 0.7}},
                                                   {"neg_binomial_2", {3, 0.8}},
                                                   {"neg_binomial_2_log", {0.4, 2}},
                                                   {"beta_neg_binomial", {3, 4, 2}},
                                                   {"discrete_range", {0, 5}}};
  for (const auto& [name, parameters] : distributions) {
    const std::vector<double> draws = sample(name, parameters);
    const int largest = name.starts_with("bernoulli") ? 1 : 12;
    for (int k = 0; k <= largest; ++k) {
      std::vector<double> arguments{static_cast<double>(k)};
      arguments.insert(arguments.end(), parameters.begin(), parameters.end());
      const double mass = std::exp(known_call(name + "_lpmf", arguments));
      if (!(mass > 0.01)) continue;
      expect_share(static_cast<int>(std::count(draws.begin(), draws.end(), k)), mass, name);
    }
  }
}

double mean(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

void expect_mean(const std::vector<double>& numbers, double expected, const std::string& what) {
  const double centre = mean(numbers);
  double squares = 0;
  for (const double number : numbers) squares += (number - centre) * (number - centre);
  const double error = std::sqrt(squares) / static_cast<double>(numbers.size());
  EXPECT_NEAR(centre, expected, kStandardErrors * error + 1e-12) << what;
}

TEST(RandomDraws, AnglesHaveTheirMeanLength) {
  std::vector<double> along;
  for (const double angle : sample("von_mises", {0.7, 2.0})) along.push_back(std::cos(angle - 0.7));
  expect_mean(along, 0.697774657964008, "I1(2) / I0(2)");
}

// Entry `entry` of many draws, or its product with entry `other`.
std::vector<double> entries(const std::string& name, const std::vector<KnownNumbers>& parameters,
                            std::size_t entry, std::optional<std::size_t> other = {}) {
  const UniformSource uniform = seeded(11);
  std::vector<double> list;
  for (int i = 0; i < kDraws; ++i) {
    const std::vector<double> drawn = draw_vector(uniform, name, parameters);
    list.push_back(drawn[entry] * (other ? drawn[*other] : 1.0));
  }
  return list;
}

TEST(RandomDraws, VectorsAndMatricesHaveTheirMoments) {
  const KnownNumbers location{{1.0, -2.0}, 2, 1};
  const KnownNumbers covariance{{2.0, 0.6, 0.6, 1.0}, 2, 2};
  const KnownNumbers factor{{1.0, 0.5, 0.0, 2.0}, 2, 2};
  const KnownNumbers centre{{0.0, 0.0}, 2, 1};
  expect_mean(entries("multi_normal", {location, covariance}, 1), -2.0, "multi_normal");
  expect_mean(entries("multi_normal", {centre, covariance}, 0, 1), 0.6, "multi_normal");
  expect_mean(entries("multi_normal_cholesky", {centre, factor}, 1, 1), 4.25, "cholesky");
  // The inverse of the covariance is [1, -0.6; -0.6, 2] / 1.64.
  expect_mean(entries("multi_normal_prec", {centre, covariance}, 0, 1), -0.6 / 1.64, "precision");
  const KnownNumbers nu{{9.0}, 1, 1};
  expect_mean(entries("multi_student_t", {nu, centre, covariance}, 0, 0), 2.0 * 9 / 7, "t");
  expect_mean(entries("wishart", {nu, covariance}, 1), 9 * 0.6, "wishart");
  expect_mean(entries("inv_wishart", {nu, covariance}, 0), 2.0 / (9 - 2 - 1), "inv_wishart");
  const KnownNumbers shapes{{1.0, 2.0, 5.0}, 3, 1};
  expect_mean(entries("dirichlet", {shapes}, 2), 5.0 / 8, "dirichlet");
  const KnownNumbers shares{{0.2, 0.3, 0.5}, 3, 1};
  expect_mean(entries("multinomial", {shares, {{7.0}, 1, 1}}, 1), 2.1, "multinomial");
  expect_mean(entries("categorical", {shares}, 0), 0.2 + 0.6 + 1.5, "categorical");
  const KnownNumbers cuts{{-1.0, 1.0}, 2, 1};
  expect_mean(entries("ordered_logistic", {{{0.0}, 1, 1}, cuts}, 0), 2.0, "ordered_logistic");
  // A correlation under LKJ(eta) of size d has variance 1 / (2 eta + d - 1).
  expect_mean(entries("lkj_corr", {{{3.0}, 1, 1}, {{2.0}, 1, 1}}, 1, 1), 1.0 / 6, "lkj");
  expect_mean(entries("lkj_corr", {{{3.0}, 1, 1}, {{2.0}, 1, 1}}, 5, 5), 1.0 / 6, "lkj");
}

TEST(RandomDraws, ParametersThatStanRefusesGiveNanAndEnd) {
  const UniformSource uniform = seeded(1);
  const double nan = std::nan("");
  for (const auto& [name, parameters] :
       std::vector<Distribution>{{"normal", {0, -1}},
                                 {"gamma", {nan, 1}},
                                 {"gamma", {-1, 1}},
                                 {"poisson", {-1}},
                                 {"poisson", {nan}},
                                 {"poisson", {1e300}},
                                 {"beta", {0, 1}},
                                 {"binomial", {-1, 0.5}},
                                 {"binomial", {3, nan}},
                                 {"neg_binomial_2", {1, 0}},
                                 {"von_mises", {nan, 1}},
                                 {"hypergeometric", {1e9, 1e9, 1e9}},
                                 {"uniform", {2, 1}},
                                 {"student_t", {0, 0, 1}}}) {
    EXPECT_TRUE(std::isnan(draw_scalar(uniform, name, parameters))) << name;
  }
  EXPECT_FALSE(has_valid_shapes("dirichlet", {{{1.0, -1.0}, 2, 1}}));
  EXPECT_FALSE(has_valid_shapes("categorical", {{{}, 0, 1}}));
  EXPECT_FALSE(has_valid_shapes("multi_normal", {{{0, 0, 0}, 3, 1}, {{1, 0, 0, 1}, 2, 2}}));
  EXPECT_FALSE(has_valid_shapes("lkj_corr", {{{1e9}, 1, 1}, {{1.0}, 1, 1}}));
  EXPECT_FALSE(has_valid_shapes("wishart", {{{0.5}, 1, 1}, {{1, 0, 0, 1}, 2, 2}}));
}

constexpr const char* kProgram = R"(
functions { real twice_rng(real m) { return 2 * normal_rng(m, 1); } }
data { int<lower=0> N; vector[N] x; array[N] int<lower=0, upper=1> y; }
parameters { real a; real<lower=0> s; }
model { y ~ bernoulli_logit(a + s * x); }
generated quantities {
  real fresh = twice_rng(a);
  array[3] real many = normal_rng([a, a + 100, a + 200], s);
  int count = poisson_rng(s);
  array[2] int order = sort_indices_desc([a, a + 1]);
  vector[N] eta = a + s * x;
  array[N] int y_rep = bernoulli_logit_rng(eta);
}
)";

const DrawnQuantity& named(const std::vector<DrawnQuantity>& list, const std::string& name) {
  return *std::find_if(list.begin(), list.end(),
                       [&](const DrawnQuantity& quantity) { return quantity.name == name; });
}

TEST(GeneratedDraws, QuantitiesWithoutRecordsAreDrawnAtTheGivenPoint) {
  ReadModel read(kProgram);
  read.build();
  const GeneratedDraws generated(read.checked, read.data, stan_functions(), read.options);
  const UniformSource uniform = seeded(5);
  const std::vector<double> theta = {0.3, std::log(2.0)};
  std::vector<double> fresh;
  for (int i = 0; i < 300; ++i) {
    const auto list = generated.without_records(theta, uniform);
    ASSERT_EQ(list.size(), 4u);
    fresh.push_back(named(list, "fresh").numbers[0]);
    EXPECT_EQ(named(list, "many").numbers.size(), 3u);
    EXPECT_NEAR(named(list, "many").numbers[2], 200, 20);
    EXPECT_EQ(named(list, "order").numbers, (std::vector<double>{2, 1}));
    EXPECT_GE(named(list, "count").numbers[0], 0);
  }
  expect_mean(fresh, 0.6, "twice_rng");
}

TEST(GeneratedDraws, OnePublicRecordIsPredicted) {
  ReadModel read(kProgram);
  read.build();
  const GeneratedDraws generated(read.checked, read.data, stan_functions(), read.options);
  const std::vector<double> theta = {0.3, std::log(2.0)};
  const UniformSource uniform = seeded(6);
  int ones = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto list = generated.on_record(theta, {{1.5}, {0}}, uniform);
    EXPECT_DOUBLE_EQ(named(list, "eta").numbers.at(0), 3.3);
    ones += named(list, "y_rep").numbers.at(0) == 1 ? 1 : 0;
  }
  const double p = 1 / (1 + std::exp(-3.3));
  EXPECT_NEAR(ones / 1000.0, p, kStandardErrors * std::sqrt(p * (1 - p) / 1000));
}

}  // namespace
}  // namespace dpvi
