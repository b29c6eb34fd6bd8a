#include <dpvi/eval/row_evaluator.hpp>

#include <cmath>
#include <numeric>

#include <dpvi/stan/run/generated_draws.hpp>

#include "tests/stan/model_reading.hpp"

namespace dpvi {
namespace {

constexpr const char* kProgram = R"(
data { int<lower=0> N; vector[N] x; array[N] int<lower=1, upper=3> g; }
parameters { real a; vector[3] e; real<lower=0> s; }
model { x ~ normal(a + e[g], s); }
generated quantities {
  vector[N] level = a + e[g];
  vector[N] score;
  vector[N] constant = rep_vector(2.5, N);
  vector[N] size = rep_vector(s, N);
  matrix[N, 2] both;
  vector[N] draw;
  vector[N] grown;
  array[N] int count;
  array[N] vector[2] pair;
  for (n in 1:N) {
    score[n] = x[n] > 0 ? log1p(x[n]) * s : -x[n];
    both[n] = [x[n] * a, e[g[n]]];
    draw[n] = normal_rng(level[n], s);
    grown[n] = exp(draw[n]) + x[n];
    count[n] = poisson_rng(2 + x[n]^2);
    pair[n] = multi_normal_cholesky_rng([a, x[n]]', [[1, 0], [.8, .6]]);
  }
}
)";

const std::vector<std::vector<double>> kThetas = {
    {0.3, -1, 0.5, 2, -0.2}, {-0.7, 0.1, 0.2, 0.3, 0.4}, {0, 0, 0, 0, -30}};

struct Fixture {
  ReadModel read{kProgram};
  RowProgram program = build_row_program(read.checked, read.data, stan_functions(), read.options);

  RowTable rows(std::size_t count) const {
    RowTable table = empty_rows(program.record_variables, count);
    for (std::size_t i = 0; i < count; ++i) {
      table.reals[i] = 0.37 * static_cast<double>(i % 13) - 2.0;
      table.integers[i] = 1 + static_cast<std::int32_t>(i % 3);
    }
    return table;
  }

  std::vector<NodeId> nodes(const std::string& name) const { return program.find(name)->entries; }

  std::vector<double> evaluate(const std::vector<NodeId>& outputs, const RowTable& rows,
                               std::span<const std::vector<double>> thetas,
                               std::uint64_t first_row = 0) const {
    const RowEvaluator evaluator(program, outputs);
    RowEvaluator::Workspace workspace(evaluator);
    std::vector<double> out(outputs.size() * rows.count() * thetas.size());
    const SeededGenerator generator(5);
    evaluator.evaluate(workspace, {rows, first_row, thetas, generator}, out);
    return out;
  }
};

TEST(RowEvaluator, AgreesWithTheProgramRunOnEachRow) {
  const Fixture fixture;
  const std::size_t count = 37;
  const RowTable rows = fixture.rows(count);
  const GeneratedDraws oracle(fixture.read.checked, fixture.read.data, stan_functions(),
                              fixture.read.options);
  for (const char* name : {"level", "score", "constant", "size", "both"}) {
    const auto outputs = fixture.nodes(name);
    const std::vector<double> out = fixture.evaluate(outputs, rows, kThetas);
    for (std::size_t row = 0; row < count; ++row) {
      const ProgramRecord record{{rows.reals[row]}, {static_cast<double>(rows.integers[row])}};
      for (std::size_t t = 0; t < kThetas.size(); ++t) {
        const auto drawn = oracle.on_record(kThetas[t], record, [] { return 0.5; });
        const auto found = std::find_if(drawn.begin(), drawn.end(),
                                        [&](const auto& one) { return one.name == name; });
        for (std::size_t i = 0; i < outputs.size(); ++i) {
          EXPECT_NEAR(out[(i * count + row) * kThetas.size() + t], found->numbers[i], 1e-12)
              << name << " row " << row;
        }
      }
    }
  }
}

TEST(RowEvaluator, DrawsFollowTheirDistribution) {
  const Fixture fixture;
  const RowTable rows = fixture.rows(3);
  const std::vector<std::vector<double>> thetas(20000, kThetas[0]);
  std::vector<NodeId> outputs = fixture.nodes("draw");
  for (const char* name : {"count", "pair"}) {
    for (const NodeId node : fixture.nodes(name)) outputs.push_back(node);
  }
  const std::vector<double> out = fixture.evaluate(outputs, rows, thetas);
  const double s = std::exp(-0.2);
  for (std::size_t row = 0; row < 3; ++row) {
    const double x = rows.reals[row];
    const double level = 0.3 + kThetas[0][1 + row];
    const double rate = 2 + x * x;
    const double expected[][2] = {{level, s * s}, {rate, rate}, {0.3, 1}, {x, 1}};
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto draws = std::span(out).subspan((i * 3 + row) * thetas.size(), thetas.size());
      const auto size = static_cast<double>(thetas.size());
      const double mean = std::accumulate(draws.begin(), draws.end(), 0.0) / size;
      double squares = 0;
      for (const double draw : draws) squares += (draw - mean) * (draw - mean);
      const auto [truth, variance] = expected[i];
      // The tolerance is five standard errors.
      EXPECT_NEAR(mean, truth, 5 * std::sqrt(variance / size)) << i << " row " << row;
      EXPECT_NEAR(squares / size, variance, 5 * variance * std::sqrt(3 / size)) << i;
    }
  }
}

TEST(RowEvaluator, WhatIsMadeOfADrawIsMadeOfThatDraw) {
  const Fixture fixture;
  const RowTable rows = fixture.rows(20);
  std::vector<NodeId> outputs = fixture.nodes("draw");
  outputs.push_back(fixture.nodes("grown")[0]);
  const std::vector<double> out = fixture.evaluate(outputs, rows, kThetas);
  const std::size_t half = out.size() / 2;
  for (std::size_t i = 0; i < half; ++i) {
    EXPECT_NEAR(out[half + i], std::exp(out[i]) + rows.reals[i / kThetas.size()], 1e-12);
  }
}

TEST(RowEvaluator, LoopsUntilADrawFitsRunTheProgramOnEachRow) {
  const ReadModel read(R"(
data { int<lower=0> N; vector[N] x; }
parameters { real<lower=0> s; }
model { x ~ normal(0, s); }
generated quantities {
  vector[N] shifted = x + s;
  matrix[N, 2] positive;
  for (n in 1:N) {
    real v = -1;
    while (v < 0) v = normal_rng(x[n], s);
    positive[n] = [v, 10 * v];
  }
})");
  const RowProgram program =
      build_row_program(read.checked, read.data, stan_functions(), read.options);
  EXPECT_EQ(program.by_program.quantities, (std::vector<std::string>{"positive"}));
  EXPECT_EQ(program.find("positive")->entry_names,
            (std::vector<std::string>{"positive[1]", "positive[2]"}));
  RowTable rows = empty_rows(program.record_variables, 2);
  rows.reals = {0, -1};
  const std::vector<std::vector<double>> thetas(2000, {0.0});
  const RowEvaluator evaluator(program, program.find("positive")->entries);
  RowEvaluator::Workspace workspace(evaluator);
  std::vector<double> out(2 * 2 * thetas.size());
  const SeededGenerator generator(6);
  evaluator.evaluate(workspace, {rows, 0, thetas, generator}, out);
  // Mean and sd of a standard normal above 0, and of its excess over 1 given that it is above 1.
  const double expected[][2] = {{0.7979, 0.6028}, {0.5251, 0.4462}};
  for (std::size_t row = 0; row < 2; ++row) {
    double mean = 0;
    for (std::size_t t = 0; t < thetas.size(); ++t) {
      const double draw = out[row * thetas.size() + t];
      EXPECT_GE(draw, 0);
      EXPECT_EQ(out[(2 + row) * thetas.size() + t], 10 * draw);
      mean += draw / static_cast<double>(thetas.size());
    }
    // The tolerance is five standard errors.
    EXPECT_NEAR(mean, expected[row][0], 5 * expected[row][1] / std::sqrt(2000));
  }
}

TEST(RowEvaluator, DrawsDoNotDependOnHowTheTableIsParted) {
  const Fixture fixture;
  const RowTable rows = fixture.rows(50);
  const auto outputs = fixture.nodes("draw");
  const std::vector<double> whole = fixture.evaluate(outputs, rows, kThetas);
  const std::vector<double> end = fixture.evaluate(outputs, rows.part(32, 18), kThetas, 32);
  EXPECT_TRUE(std::equal(end.begin(), end.end(), whole.end() - std::ssize(end)));
  EXPECT_NE(whole[0], whole[kThetas.size()]);
}

}  // namespace
}  // namespace dpvi
