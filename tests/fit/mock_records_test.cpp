#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <dpvi/fit/mock/mock_records.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

constexpr const char* kProgram = R"(
data {
  int N; int K;
  vector[N] a;
  vector<lower=0, upper=1>[N] share;
  matrix[N, K] u;
  array[N] int<lower=0, upper=10> c;
  array[N] int<lower=0> count;
}
parameters { real mu; }
model { a ~ normal(mu, 1); }
)";

constexpr const char* kLevels = R"(
[columns.kind]
type = "category"
levels = ["x", "y", "z"]
[model]
u = ["kind"]
)";

constexpr std::size_t kCount = 4000;

struct Moments {
  double mean = 0.0;
  double sd = 0.0;
  double lowest = 0.0;
  double highest = 0.0;
};

// Moments of one number over all mock records.
template <class Number>
Moments moments(const std::vector<MockRecord>& records, Number number) {
  std::vector<double> values;
  for (const MockRecord& record : records) values.push_back(number(record));
  Moments result;
  for (const double value : values) result.mean += value / static_cast<double>(values.size());
  for (const double value : values) result.sd += std::pow(value - result.mean, 2);
  result.sd = std::sqrt(result.sd / static_cast<double>(values.size()));
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  result.lowest = *low;
  result.highest = *high;
  return result;
}

class MockRecords : public testing::Test {
 protected:
  static std::vector<MockRecord> make(const std::string& schema) {
    return make_mock_records(bind_program(kProgram, kLevels + schema).binding, kCount,
                             SeededGenerator(3));
  }
  static Moments real(const std::string& schema, std::size_t slot) {
    return moments(make(schema), [slot](const MockRecord& r) { return r.reals[slot]; });
  }
  static Moments integer(const std::string& schema, std::size_t slot) {
    return moments(make(schema), [slot](const MockRecord& r) { return r.integers[slot]; });
  }
};

// Tolerances are five standard errors of a mean of 4000 numbers: 0.08 standard deviations.
TEST_F(MockRecords, HaveTheDeclaredMeanAndSd) {
  const Moments found = real("[columns.a]\nmean = 100\nsd = 15\n", 0);
  EXPECT_NEAR(found.mean, 100.0, 1.2);
  EXPECT_NEAR(found.sd, 15.0, 1.2);
}

TEST_F(MockRecords, AreSkewedNearALowerBoundAndKeepMeanAndSd) {
  const Moments found = real("[columns.a]\nlower = 10\nmean = 14\nsd = 3\n", 0);
  EXPECT_GT(found.lowest, 10.0);
  EXPECT_GT(found.highest, 26.0);  // a log-normal column reaches four sds above its mean
  EXPECT_NEAR(found.mean, 14.0, 0.24);
  EXPECT_NEAR(found.sd, 3.0, 0.5);
}

TEST_F(MockRecords, AreUniformBetweenBoundsAndAsTheProgramSeesThem) {
  const Moments share = real("", 1);
  EXPECT_NEAR(share.mean, 0.5, 0.03);
  EXPECT_NEAR(share.sd, 0.2887, 0.02);
  const Moments standard =
      real("[columns.a]\nmean = 50\nsd = 10\nlower = 0\nupper = 100\nstandardise = true\n", 0);
  EXPECT_NEAR(standard.mean, 0.0, 0.08);
  EXPECT_NEAR(standard.sd, 1.0, 0.08);
}

TEST_F(MockRecords, WholeNumbersStayWithinBoundsAndHaveTheDeclaredMean) {
  const Moments plain = integer("", 0);
  EXPECT_EQ(plain.lowest, 0.0);
  EXPECT_EQ(plain.highest, 10.0);
  EXPECT_NEAR(plain.mean, 5.0, 0.26);
  EXPECT_NEAR(integer("[columns.c]\nmean = 2\n", 0).mean, 2.0, 0.1);
  const Moments counted = integer("[columns.count]\nmean = 30\nsd = 5\n", 1);
  EXPECT_NEAR(counted.mean, 30.0, 0.4);
  EXPECT_GE(integer("", 1).lowest, 0.0);
}

TEST_F(MockRecords, SlotsOfACategoryAgreeOnItsLevel) {
  double ones = 0.0;
  for (const MockRecord& record : make("")) {
    const double y = record.reals[2];
    const double z = record.reals[3];
    EXPECT_TRUE((y == 0.0 || y == 1.0) && (z == 0.0 || z == 1.0) && y + z <= 1.0);
    ones += y + z;
  }
  EXPECT_NEAR(ones / kCount, 2.0 / 3.0, 0.04);
}

TEST_F(MockRecords, LevelsHaveTheirDeclaredShares) {
  const BoundProgram bound = bind_program(
      "data { int N; int K; array[N] int<lower=1, upper=K> g; vector[N] y; }"
      "parameters { vector[K] a; } model { a ~ normal(0, 1); y ~ normal(a[g], 1); }",
      "[columns.g]\nlevels = [\"x\", \"y\", \"z\"]\nshares = [0.6, 0.1, 0.3]\n");
  double counts[3] = {};
  for (const MockRecord& record : make_mock_records(bound.binding, kCount, SeededGenerator(1))) {
    counts[record.integers[0] - 1] += 1.0 / kCount;
  }
  const double error = 4.0 * std::sqrt(0.25 / kCount);  // four standard errors
  EXPECT_NEAR(counts[0], 0.6, error);
  EXPECT_NEAR(counts[1], 0.1, error);
  EXPECT_NEAR(counts[2], 0.3, error);
}

TEST_F(MockRecords, AreTheSameForTheSameSeedAndFacts) {
  const auto numbers = [](const std::vector<MockRecord>& records) {
    std::vector<double> all;
    for (const MockRecord& r : records) all.insert(all.end(), r.reals.begin(), r.reals.end());
    return all;
  };
  EXPECT_EQ(numbers(make("")), numbers(make("")));
}

TEST_F(MockRecords, ColumnsOfWhichTooLittleIsDeclaredAreNamed) {
  const auto unknown = [](const std::string& schema) {
    return unknown_columns(bind_program(kProgram, kLevels + schema).binding);
  };
  EXPECT_EQ(unknown(""), (std::vector<std::string>{"a", "count"}));
  EXPECT_EQ(unknown("[columns.a]\nlower = 0\n"), (std::vector<std::string>{"a", "count"}));
  EXPECT_EQ(unknown("[columns.a]\nmean = 0\nsd = 2\n[columns.count]\nupper = 9\n"),
            std::vector<std::string>{});
}

}  // namespace
}  // namespace dpvi
