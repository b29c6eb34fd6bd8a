#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/privacy/collective.hpp>
#include <tests/support/bound_program.hpp>
#include <tests/support/clipped_sum_integers.hpp>
#include <tests/support/lane_block.hpp>
#include <tests/support/lane_neighbours.hpp>

namespace dpvi {
namespace {

using Units = std::vector<std::uint32_t>;

// An index selects the group, so the rows of one unit touch different coordinates.
constexpr const char* kGroupProgram = R"(
data { int N; int J; vector[N] a; vector[N] b; array[N] int<lower=1, upper=J> g; }
parameters { real mu; vector[J] alpha; }
model { mu ~ normal(0, 2); alpha ~ normal(0, 2); a ~ normal(mu + alpha[g] .* b, 2); }
)";
constexpr std::int32_t kGroups = 5;

struct Rows {
  std::vector<double> reals;  // two for each row
  std::vector<std::int32_t> groups;
  Units units;  // one for each row
};

// Rows of every kind, assigned to scattered units of 1 to 9 rows.
Rows hostile_rows() {
  std::mt19937_64 engine(8);
  std::normal_distribution<double> law;
  const double extremes[] = {
      0.0, -0.0, 5e-324, 1e-300, 1.0, 1e16, 1e30, -1e200, std::numeric_limits<double>::max()};
  Rows rows;
  for (std::size_t i = 0; i < 130; ++i) {
    const double a = i % 3 == 0 ? extremes[engine() % 9] : law(engine);
    const double b = i % 17 == 0 ? 1e308 : law(engine);
    rows.reals.insert(rows.reals.end(), {a, b});
    rows.groups.push_back(1 + static_cast<std::int32_t>(engine() % kGroups));
    const std::size_t unit = engine() % 40;
    rows.units.push_back(static_cast<std::uint32_t>(unit % 3 == 0 ? unit / 3 : unit));
  }
  return rows;
}

// Appends rows in the given order. Units are numbered in order of appearance; `labels` maps the
// numbers back.
RecordTable raw_table(const Rows& rows, const std::vector<std::size_t>& order, Units& labels) {
  RecordTable raw(2, 1);
  for (const std::size_t i : order) {
    if (i % 11 == 5) {
      raw.append_unusable();
    } else {
      raw.append(std::span(rows.reals).subspan(2 * i, 2), std::span(rows.groups).subspan(i, 1));
    }
    const auto met = std::find(labels.begin(), labels.end(), rows.units[i]);
    raw.assign_last_row(static_cast<std::uint32_t>(met - labels.begin()));
    if (met == labels.end()) labels.push_back(rows.units[i]);
  }
  return raw;
}

std::vector<std::size_t> file_order(const Rows& rows) {
  std::vector<std::size_t> order(rows.units.size());
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

std::vector<double> factor(bool mixing) {
  constexpr std::size_t kSize = 1 + kGroups;
  std::vector<double> entries(kSize * kSize, 0.0);
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      entries[i * kSize + j] = i == j ? 0.5 + 0.25 * static_cast<double>(i) : mixing ? 0.125 : 0.0;
    }
  }
  return entries;
}

// Parameters: the precision, and whether coordinates mix or only scale.
class UnitsOfHostileRows : public testing::TestWithParam<std::pair<Precision, bool>> {
 protected:
  Integers integers(std::span<const std::uint64_t> chosen, int threads = 1) const {
    RecordGradients gradients(model_.tape(), records_, threads);
    ClippedSum sum =
        Collective().reduce(gradients.clipped_sums(settings_, coordinates_, theta_, chosen));
    return integers_for_tests(sum);
  }

  std::vector<std::uint64_t> all() const {
    std::vector<std::uint64_t> chosen(records_.record_count());
    std::iota(chosen.begin(), chosen.end(), 0u);
    return chosen;
  }

  const RecordModel model_ =
      bind_program(kGroupProgram, "", {{"J", PublicValue::integer(kGroups, "test")}}).model;
  const Rows rows_ = hostile_rows();
  Units labels_;
  const RecordTable records_ =
      model_.prepare(raw_table(rows_, file_order(rows_), labels_), GetParam().first);
  const std::vector<double> theta_ = {0.2, -1.3, 0.7, 0.1, 2.0, -0.4};
  const Coordinates coordinates_{std::vector<double>(theta_.size(), 0.1),
                                 factor(GetParam().second)};
  const ClipSettings settings_{
      .grid = NoiseGrid(1.3),
      .clip_bound = 0.8,
      .dimension = 1 + kGroups,
      .max_records = 100000,
      .coordinate = ClipCoordinate{.size = 0.25, .unshortened_share = 0.9}};
};

INSTANTIATE_TEST_SUITE_P(Precisions, UnitsOfHostileRows,
                         testing::Values(std::pair(Precision::single_precision, false),
                                         std::pair(Precision::single_precision, true),
                                         std::pair(Precision::double_precision, false),
                                         std::pair(Precision::double_precision, true)));

// Guarantee: a record of several rows is clipped once, as a whole, and its integers depend on its
// own rows alone.
TEST_P(UnitsOfHostileRows, AUnitIsClippedOnceAndItsIntegersDependOnItsOwnRowsAlone) {
  std::size_t moving = 0;
  for (const std::uint64_t unit : all()) {
    const Integers alone = integers(std::vector<std::uint64_t>{unit});
    EXPECT_LE(exact_square_sum(alone), exact_square(settings_.grid.integer_bound()));
    moving += alone == Integers(alone.size(), 0) ? 0u : 1u;
    expect_alone_in_every_lane(unit, records_.record_count(), alone,
                               [&](const auto& chosen) { return integers(chosen); });
  }
  EXPECT_GT(moving, records_.record_count() / 2);
}

TEST_P(UnitsOfHostileRows, SumIsTheSameForAnyNumberOfThreadsAndAnyOrderOfTheUnits) {
  expect_same_for_any_threads_and_order(
      all(), [&](const auto& chosen, int threads) { return integers(chosen, threads); });
}

TEST_P(UnitsOfHostileRows, WhereOtherUnitsRowsLieChangesNothing) {
  // The same rows, sorted by unit in descending order; each unit's rows keep their order.
  std::vector<std::size_t> order = file_order(rows_);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return rows_.units[i] > rows_.units[j]; });
  Units labels;
  const RecordTable sorted = model_.prepare(raw_table(rows_, order, labels), GetParam().first);
  ASSERT_EQ(sorted.record_count(), records_.record_count());
  RecordGradients gradients(model_.tape(), sorted, 1);
  for (std::uint64_t unit = 0; unit < sorted.record_count(); ++unit) {
    const auto same = std::find(labels_.begin(), labels_.end(), labels[unit]) - labels_.begin();
    ClippedSum sum =
        Collective().reduce(gradients.clipped_sums(settings_, coordinates_, theta_, {&unit, 1}));
    EXPECT_EQ(integers_for_tests(sum), integers(std::vector{static_cast<std::uint64_t>(same)}));
  }
}

TEST(UnitGradients, ARowThatCannotCountAddsZeroAndTheOthersStay) {
  const RecordModel model = bind_program(R"(
data { int N; vector[N] y; }
parameters { real mu; }
model { target += log(y) * mu; }
)")
                                .model;
  const auto integers = [&](const std::vector<double>& unit) {
    RecordTable raw(1, 0);
    for (const double y : unit) {
      if (std::isnan(y)) {
        raw.append_unusable();
      } else {
        raw.append(std::vector{y}, {});
      }
      raw.assign_last_row(0);
    }
    const RecordTable records = model.prepare(std::move(raw));
    RecordGradients gradients(model.tape(), records, 1);
    const std::uint64_t first = 0;
    const ClipSettings settings{.grid = NoiseGrid(1.0),
                                .clip_bound = 1.0,
                                .dimension = 1,
                                .max_records = 10,
                                .coordinate = ClipCoordinate{}};
    ClippedSum sum = Collective().reduce(gradients.clipped_sums(
        settings, Coordinates::identity(1), std::vector<double>{0.5}, {&first, 1}));
    return integers_for_tests(sum);
  };
  constexpr double kUnusable = std::numeric_limits<double>::quiet_NaN();
  const Integers good = integers({1.5});
  EXPECT_NE(good, Integers(2, 0));
  EXPECT_EQ(integers({0.0, 1.5, -1.0}), good);  // give log 0 and NaN
  EXPECT_EQ(integers({kUnusable, 1.5}), good);
  EXPECT_EQ(integers({-1.0, kUnusable, 0.0}), Integers(2, 0));
  EXPECT_EQ(integers({1.25, 1.2}), integers({1.5}));
}

TEST(UnitGradients, PlainSumsAreThoseOfTheRows) {
  const RecordModel model = bind_program(kLogisticProgram).model;
  std::mt19937_64 engine(3);
  std::normal_distribution<double> law;
  RecordTable by_rows(2, 1), by_units(2, 1);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const std::vector<double> reals = {law(engine), law(engine)};
    const std::vector<std::int32_t> y = {static_cast<std::int32_t>(i % 2)};
    by_rows.append(reals, y);
    by_units.append(reals, y);
    by_units.assign_last_row(i < 300 ? i : i % 300);
  }
  const std::vector<double> theta = {0.3, -0.2, 0.9};
  const auto total = [&](RecordTable raw) {
    const RecordTable records = model.prepare(std::move(raw));
    std::vector<std::uint64_t> all(records.record_count());
    std::iota(all.begin(), all.end(), 0u);
    return RecordGradients(model.tape(), records, 2).plain_value(theta, all);
  };
  const auto rows = total(std::move(by_rows)), units = total(std::move(by_units));
  EXPECT_NEAR(units.value, rows.value, 1e-9);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(units.gradient[j], rows.gradient[j], 1e-9);
}

}  // namespace
}  // namespace dpvi
