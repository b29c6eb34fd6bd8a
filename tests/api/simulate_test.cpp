#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include <dpvi/api/mock_truths.hpp>
#include <dpvi/api/simulate.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/eval/draw_summary.hpp>
#include <tests/api/door_example.hpp>

namespace dpvi {
namespace {

constexpr const char* kRiskProgram = R"(
data { int<lower=0> N; vector[N] a; array[N] int<lower=0, upper=1> y; }
parameters { real alpha; real beta; }
model { alpha ~ normal(0, 1); beta ~ normal(0, 1); y ~ bernoulli_logit(alpha + beta * a); }
)";
constexpr const char* kRiskSchema = "[columns.a]\nmean = 0\nsd = 1\n";

Program risk_program(const std::string& schema = kRiskSchema) {
  return read_program({.model_text = kRiskProgram, .schema_text = schema});
}

SimulationRequest small_request() {
  return {.epsilons = {1.0}, .rows = {300}, .tables = 1, .threads = 1};
}

// One simulated table, fitted through the door that everybody uses.
TEST(Simulate, FitsMockTablesAsAUserWould) {
  const SameKeys keys;
  const Simulation simulation = simulate(risk_program(), small_request());

  const BoundModel bound = bind_without_table(risk_program());
  const MockTruths truths(bound, 1);
  std::vector<double> a;
  std::vector<std::int64_t> y;
  for (const MockRecord& record : truths.rows(0, 300)) {
    a.push_back(record.reals[0]);
    y.push_back(record.integers[0]);
  }
  FitRequest request{.privacy = {.epsilon = 1.0}};
  request.settings.rows = 300.0;
  const MemoryTable table({{"a", Numbers(a)}, {"y", WholeNumbers(y)}});
  const FitResult result = fit(open_records(plan_fit(risk_program(), table, request)));

  ASSERT_EQ(simulation.cells.size(), 1u);
  const SimulatedCell& cell = simulation.cells[0];
  EXPECT_EQ(cell.fits(), 1u);
  EXPECT_EQ(cell.count(result.verdict.status), 1u);
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<double> draws;
    for (const std::vector<double>& draw : result.draws) draws.push_back(draw[i]);
    const DrawSummary summary = summarise_draws(draws);
    EXPECT_EQ(cell.scores[i].bias, summary.mean - truths.theta(0)[i]);
    EXPECT_EQ(cell.scores[i].width, summary.q95 - summary.q5);
    EXPECT_EQ(cell.scores[i].sd_privacy, result.sd_privacy[i]);
  }
}

TEST(Simulate, SettingsAndEpsilonsShareTheirTables) {
  const BoundModel bound = bind_without_table(risk_program());
  const MockTruths truths(bound, 1), others(bound, 2);
  const auto first = truths.rows(3, 50), again = truths.rows(3, 50), other = others.rows(3, 50);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].reals, again[i].reals);
    EXPECT_EQ(first[i].integers, again[i].integers);
  }
  EXPECT_NE(first[0].reals, other[0].reals);
  EXPECT_NE(truths.theta(3)[0], truths.theta(4)[0]);
}

TEST(Simulate, TruthsFollowThePriorAndRecordsTheTruth) {
  const BoundModel bound = bind_without_table(risk_program());
  const MockTruths truths(bound, 1);
  double mean = 0.0, squares = 0.0, records = 0.0;
  constexpr int kTables = 200;
  for (std::size_t table = 0; table < kTables; ++table) {
    const double alpha = truths.theta(table)[0], beta = truths.theta(table)[1];
    mean += alpha / kTables;
    squares += alpha * alpha / kTables;
    for (const MockRecord& row : truths.rows(table, 100)) {
      const double p = 1.0 / (1.0 + std::exp(-alpha - beta * row.reals[0]));
      records += (row.integers[0] - p) / std::sqrt(p * (1.0 - p));
    }
  }
  // Four standard errors of independent draws; neighbouring draws are not quite.
  EXPECT_NEAR(mean, 0.0, 4.0 / std::sqrt(kTables));
  EXPECT_NEAR(squares, 1.0, 4.0 * std::sqrt(2.0 / kTables));
  EXPECT_NEAR(records, 0.0, 4.0 * std::sqrt(100.0 * kTables));
}

TEST(Simulate, TruthsAgreeWithWhatIsDeclaredAboutTheOutcome) {
  const BoundModel bound =
      bind_without_table(risk_program("[columns.a]\nmean = 0\nsd = 1\n[columns.y]\nmean = 0.05\n"));
  const MockTruths truths(bound, 1);
  EXPECT_GT(truths.agreeing_share(), 0.0);
  EXPECT_LT(truths.agreeing_share(), 0.5);
  for (std::size_t table = 0; table < 20; ++table) {
    double events = 0.0;
    for (const MockRecord& row : truths.rows(table, 2000)) events += row.integers[0];
    EXPECT_GT(events, 2000 * 0.05 / 3.0);
    EXPECT_LT(events, 2000 * 0.05 * 3.0);
  }
}

TEST(Simulate, StopsWhereProgressSaysSo) {
  SimulationRequest request = small_request();
  request.tables = 50;
  request.progress = [](std::int64_t done, std::int64_t) { return done < 1; };
  EXPECT_THROW(simulate(risk_program(), request), Error);
}

TEST(Simulate, RefusesAProgramThatCannotDrawItsData) {
  const Program program = read_program(
      {.model_text = "data { int<lower=0> N; vector[N] y; } parameters { real mu; }"
                     "model { mu ~ normal(0, 1); target += -sum(abs(y - mu)) - 0.1 * sum(y); }"});
  try {
    simulate(program, small_request());
    FAIL() << "it was not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot draw its data 'y'"), std::string::npos);
  }
}

}  // namespace
}  // namespace dpvi
