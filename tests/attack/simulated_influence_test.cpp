#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/fit/mock/keyed_outcomes.hpp>
#include <tests/support/attacked_loop.hpp>
#include <tests/support/bound_program.hpp>
#include <tests/support/hostile_gradients.hpp>
#include <tests/support/lane_block.hpp>

// Measures how far one record moves the releases of the production step when clipping is
// conditionally unbiased with simulated outcomes: the vector of a record then depends on random
// numbers, which must be the record's own.

namespace dpvi {
namespace {

constexpr const char* kRarePoisson = R"(
data { int N; vector[N] a; vector[N] b; array[N] int<lower=0> y; }
parameters { real alpha; vector[2] beta; }
model {
  alpha ~ normal(-4, 1);
  beta ~ normal(0, 1);
  y ~ poisson_log(alpha + beta[1] * a + beta[2] * b);
}
)";
constexpr const char* kNormal = R"(
data { int N; vector[N] a; vector[N] b; vector[N] y; }
parameters { real alpha; vector[2] beta; real<lower=0> sigma; }
model {
  alpha ~ normal(0, 1);
  beta ~ normal(0, 1);
  sigma ~ normal(0, 1);
  y ~ normal(alpha + beta[1] * a + beta[2] * b, sigma);
}
)";

using Records = std::vector<MockRecord>;

// The step of a program whose outcomes are simulated. All its runs have the same secret key.
class SimulatedStep {
 public:
  SimulatedStep(const std::string& program, std::vector<double> theta, std::size_t outcomes,
                Precision precision = Precision::single_precision)
      : bound_(bind_program(program)), theta_(std::move(theta)), precision_(precision) {
    const RecordWidth width{bound_.binding.real_slots.size(), bound_.binding.integer_slots.size()};
    simulator_ = std::make_shared<const OutcomeSimulator>(bound_.model, bound_.binding);
    outcomes_ = std::make_shared<const KeyedOutcomes>(
        outcome_simulation(simulator_, bound_.model.tape(), width, outcomes), bound_.model.tape(),
        fixed_key());
  }

  // Records of one row each, or of several.
  Integers sum(const Records& records, const AttackedRun& run) const {
    return sum(std::vector<Records>(1, records), run, false);
  }
  Integers sum_of_units(const std::vector<Records>& units, const AttackedRun& run) const {
    return sum(units, run, true);
  }

  // What a fit by measurements releases: gradients or information in coordinates of its own.
  Integers measurement(const Records& records, const AttackedRun& run, ReleasedSum sum) const {
    const Coordinates coordinates({0.1, 0.1, 0.1}, {2.0, 0.0, 0.0, -.7, .5, 0.0, .3, -1.5, 40.0});
    return AttackedLoop::without_noise(
        releases(table({records}, false), run,
                 {.theta = theta_, .coordinates = &coordinates, .sum = sum})
            .at(0),
        run);
  }

  // The releases of several steps at the same point.
  std::vector<std::vector<double>> releases(const Records& records, const AttackedRun& run) const {
    return releases(table({records}, false), run);
  }

  // Draws outcomes at the point from the program.
  Records drawn(Records records, std::uint64_t seed) const {
    simulator_->simulate(theta_, records, SeededGenerator(seed));
    return records;
  }

  bool found() const { return simulator_->found(); }

 private:
  static ContentKey fixed_key() {
    const NextKey next({7});
    return {};
  }

  RecordTable table(const std::vector<Records>& units, bool several_rows) const {
    PreparedRecords prepared(bound_.model.tape(), precision_, outcomes_->width());
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      for (const MockRecord& row : units[unit]) {
        prepared.append(row.reals, row.integers);
        if (several_rows) prepared.assign_last_row(static_cast<std::uint32_t>(unit));
      }
    }
    return std::move(prepared).gathered();
  }

  Integers sum(const std::vector<Records>& units, const AttackedRun& run, bool several_rows) const {
    return AttackedLoop::without_noise(releases(table(units, several_rows), run).at(0), run);
  }

  std::vector<std::vector<double>> releases(const RecordTable& table,
                                            const AttackedRun& run) const {
    return releases(table, run, {.theta = theta_});
  }

  std::vector<std::vector<double>> releases(const RecordTable& table, const AttackedRun& run,
                                            const StepPoint& point) const {
    RecordGradients gradients(bound_.model.tape(), table, run.threads, std::nullopt, outcomes_);
    const LoopPlan plan = AttackedLoop::plan_of(run);
    const Coordinates coordinates = Coordinates::identity(theta_.size());
    PrivateStep step(plan, gradients, coordinates, AttackedLoop::keys(run));
    step.start(plan.phases[0]);
    std::vector<std::vector<double>> all;
    for (std::int64_t i = 0; i < run.steps; ++i) {
      const Released released = step.take(0, [&](std::span<const double>) { return point; });
      std::vector<double>& values = all.emplace_back();
      for (const double value : released.values()) {
        values.push_back(value / released.origin().clip_bound);
      }
    }
    return all;
  }

  BoundProgram bound_;
  std::vector<double> theta_;
  Precision precision_;
  std::shared_ptr<const OutcomeSimulator> simulator_;
  std::shared_ptr<const KeyedOutcomes> outcomes_;
};

SimulatedStep poisson_step(std::size_t outcomes = 8,
                           Precision precision = Precision::single_precision) {
  return {kRarePoisson, {-1.0, .3, -.2}, outcomes, precision};
}
SimulatedStep normal_step() { return {kNormal, {.2, .3, -.2, .1}, 8}; }

// Rows with ordinary covariates between hostile ones, which overflow or are not finite.
Records hostile_rows(bool counts, std::size_t size) {
  HostileGradients<double> hostile(2, 9);
  std::mt19937_64 engine(3);
  std::normal_distribution<double> law;
  Records rows;
  for (std::size_t i = 0; i < size; ++i) {
    MockRecord& row = rows.emplace_back();
    row.reals = {law(engine), law(engine)};
    if (i % 3 == 0) row.reals = hostile.any();
    if (i % 7 == 0) row.reals = {800.0, 1.0};  // infinite rates
    if (counts) {
      row.integers = {static_cast<std::int32_t>(i % 5)};
    } else {
      row.reals.push_back(i % 11 == 0 ? 1e300 : 2.0 * law(engine));
    }
  }
  return rows;
}

Integers difference(const Integers& after, const Integers& before) {
  Integers move(after.size());
  for (std::size_t j = 0; j < move.size(); ++j) move[j] = after[j] - before[j];
  return move;
}

constexpr std::optional<ClipCoordinate> kSimulatedMarks[] = {std::nullopt, ClipCoordinate{.25, .9}};

// Guarantee: a record's integers depend on its own rows, on the step, on theta and on a secret key
// alone, whatever is simulated.
// Guarantee: simulated outcomes of a row depend on its bytes, its place in the record, the step,
// theta and a secret key alone.
// Records are added one by one, so that they stand in all lanes, beside all others.
TEST(SimulatedInfluence, IsARecordsOwnVectorOfNormAtMostTheBound) {
  for (const bool counts : {true, false}) {
    const SimulatedStep step = counts ? poisson_step() : normal_step();
    ASSERT_TRUE(step.found());
    for (const auto& coordinate : kSimulatedMarks) {
      const AttackedRun run{.grid = NoiseGrid(1.3), .clip_bound = 0.5, .coordinate = coordinate};
      Records some;
      Integers before = step.sum(some, run);
      for (const MockRecord& record : hostile_rows(counts, 40)) {
        some.push_back(record);
        const Integers after = step.sum(some, run);
        const Integers move = difference(after, before);
        ASSERT_TRUE(exact_square_sum(move) <= exact_square(run.grid.integer_bound()))
            << "a record moves the sum by more than the bound";
        ASSERT_EQ(move, step.sum({record}, run)) << "a record's part depends on other records";
        before = after;
      }
    }
  }
}

// The releases of a fit by measurements, whose records are stored with what outcomes are drawn
// from.
TEST(SimulatedInfluence, OnAMeasurementIsARecordsOwnVectorOfNormAtMostTheBound) {
  const SimulatedStep step = poisson_step();
  for (const ReleasedSum sum : {ReleasedSum::gradients, ReleasedSum::information}) {
    for (const double bound : {0.05, 20.0}) {
      const AttackedRun run{.grid = NoiseGrid(1.3), .clip_bound = bound};
      Records some;
      Integers before = step.measurement(some, run, sum);
      for (const MockRecord& record : hostile_rows(true, 40)) {
        some.push_back(record);
        const Integers after = step.measurement(some, run, sum);
        const Integers move = difference(after, before);
        ASSERT_TRUE(exact_square_sum(move) <= exact_square(run.grid.integer_bound()))
            << "a record moves the sum by more than the bound";
        ASSERT_EQ(move, step.measurement({record}, run, sum))
            << "a record's part depends on other records";
        before = after;
      }
    }
  }
}

TEST(SimulatedInfluence, DoesNotDependOnOrderOrThreads) {
  const SimulatedStep step = poisson_step();
  Records table = hostile_rows(true, 1200);
  AttackedRun run{.coordinate = kSimulatedMarks[1]};
  const Integers expected = step.sum(table, run);
  for (const int threads : {2, 5}) {
    run.threads = threads;
    std::mt19937_64 engine(static_cast<std::uint64_t>(threads));
    std::ranges::shuffle(table, engine);
    EXPECT_EQ(step.sum(table, run), expected) << threads << " threads";
  }
}

// Equal rows of a unit have different outcomes: otherwise they would not be exchangeable with the
// unit's own rows.
TEST(SimulatedInfluence, OfAUnitIsItsOwnVectorOfNormAtMostTheBound) {
  const SimulatedStep step = poisson_step();
  const AttackedRun run{
      .grid = NoiseGrid(1.3), .clip_bound = 0.5, .coordinate = kSimulatedMarks[1]};
  const Records rows = hostile_rows(true, 60);
  std::vector<Records> units, some;
  for (std::size_t i = 0; i < rows.size(); i += 1 + i % 5) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(i);
    units.emplace_back(first, first + std::min<std::ptrdiff_t>(1 + i % 5, rows.end() - first));
  }
  units.emplace_back(200, MockRecord{{.1, .2}, {1}});
  Integers before = step.sum_of_units(some, run);
  for (const Records& unit : units) {
    some.push_back(unit);
    const Integers after = step.sum_of_units(some, run);
    const Integers move = difference(after, before);
    ASSERT_TRUE(exact_square_sum(move) <= exact_square(run.grid.integer_bound()));
    ASSERT_EQ(move, step.sum_of_units({unit}, run)) << "a unit's part depends on other units";
    before = after;
  }
}

// Without noise that differs, two steps at one point differ by what was simulated.
TEST(SimulatedInfluence, HasFreshOutcomesInEveryStep) {
  const SimulatedStep step = poisson_step();
  Records rows;
  for (int i = 0; i < 400; ++i) rows.push_back({{0.01 * i - 2.0, 0.5}, {i % 2}});
  const AttackedRun run{.grid = NoiseGrid(0x1p-6), .steps = 2, .clip_bound = 0.2};
  const auto releases = step.releases(rows, run);
  double moved = 0.0;
  for (std::size_t j = 0; j < releases[0].size(); ++j) {
    moved = std::max(moved, std::abs(releases[1][j] - releases[0][j]));
  }
  EXPECT_GT(moved, 0.1);
}

// One outcome in a hundred, with a bound that shortens exactly these records. The mean over records
// that the program draws must be zero, with any number of simulated outcomes.
TEST(SimulatedInfluence, IsZeroOnAverageUnderTheProgram) {
  std::mt19937_64 engine(8);
  std::normal_distribution<double> law;
  constexpr std::size_t kRecords = 100'000;
  Records rows;
  for (std::size_t i = 0; i < kRecords; ++i) rows.push_back({{law(engine), law(engine)}, {0}});
  for (const std::size_t outcomes : {std::size_t{2}, std::size_t{8}}) {
    const SimulatedStep step(kRarePoisson, {-4.6, .2, .1}, outcomes, Precision::double_precision);
    const AttackedRun run{.clip_bound = 0.1};
    const Integers sum = step.sum(step.drawn(rows, 5 + outcomes), run);
    for (const std::int64_t entry : sum) {
      // Most records add less than a tenth of the bound, so this is about six standard errors.
      const double mean =
          static_cast<double>(entry) / static_cast<double>(run.grid.integer_bound());
      EXPECT_LT(std::abs(mean), 2.0 * std::sqrt(static_cast<double>(kRecords) * 0.05))
          << outcomes << " simulated outcomes";
    }
  }
}

}  // namespace
}  // namespace dpvi
