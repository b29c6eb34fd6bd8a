#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <dpvi/fit/prepare/prepared_records.hpp>
#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/privacy/collective.hpp>
#include <tests/support/bound_program.hpp>
#include <tests/support/clipped_sum_integers.hpp>
#include <tests/support/lane_neighbours.hpp>

// The path from a record with an outcome to integers, as in a private step.
namespace dpvi {
namespace {

constexpr const char* kOrdinalProgram = R"(
data { int N; vector[N] a; array[N] int<lower=1, upper=4> y; }
parameters { real beta; ordered[3] c; }
model { y ~ ordered_logistic(beta * a, c); }
)";

constexpr const char* kCategoricalProgram = R"(
data { int N; vector[N] a; array[N] int<lower=1, upper=3> y; }
parameters { vector[3] alpha; vector[3] beta; }
model { for (n in 1:N) y[n] ~ categorical_logit(alpha + beta * a[n]); }
)";

// 40 coefficients, so that their gradients are kept as products.
constexpr const char* kWideProgram = R"(
data { int N; matrix[N, 40] x; array[N] int<lower=0, upper=1> y; }
parameters { vector[40] beta; }
model { y ~ bernoulli_logit(x * beta); }
)";

struct OutcomeCase {
  const char* name;
  const char* program;
  std::size_t reals;
  std::int32_t lowest, highest;
  bool diagonal;
};

constexpr OutcomeCase kCases[] = {{"rows", kLogisticProgram, 2, 0, 1, true},
                                  {"spread", kLogisticProgram, 2, 0, 1, false},
                                  {"products", kWideProgram, 40, 0, 1, true},
                                  {"ordinal", kOrdinalProgram, 1, 1, 4, false},
                                  {"categorical", kCategoricalProgram, 1, 1, 3, true}};

class OutcomeGradients : public testing::TestWithParam<std::tuple<OutcomeCase, Precision>> {
 protected:
  OutcomeGradients()
      : model_(bind_program(the_case().program).model),
        outcome_(outcome_columns(model_.tape(), 0, the_case().lowest, the_case().highest)),
        theta_(model_.dimension()),
        coordinates_(some_coordinates()) {
    std::mt19937_64 engine(3);
    std::normal_distribution<double> normal;
    for (double& entry : theta_) entry = 0.6 * normal(engine);
    for (int i = 0; i < kRecords; ++i) {
      std::vector<double>& row = rows_.emplace_back(the_case().reals);
      for (double& entry : row) entry = std::exp(normal(engine)) * normal(engine);
    }
  }

  const OutcomeCase& the_case() const { return std::get<0>(GetParam()); }

  Coordinates some_coordinates() const {
    const std::size_t size = model_.dimension();
    std::vector<double> factor(size * size, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
      factor[i * size + i] = 0.5 + 0.1 * static_cast<double>(i % 7);
      if (i > 0 && !the_case().diagonal) factor[i * size + i - 1] = 0.3;
    }
    return {std::vector<double>(size, 0.0), factor};
  }

  // Every record has the outcome that `outcome_of` gives to its number.
  template <class OutcomeOf>
  RecordTable table(const OutcomeOf& outcome_of) const {
    PreparedRecords records(model_.tape(), std::get<1>(GetParam()), outcome_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      records.append(rows_[i], std::vector<std::int32_t>{outcome_of(i)});
    }
    return std::move(records).gathered();
  }

  Integers integers(const RecordTable& records, std::span<const std::uint64_t> chosen,
                    int threads = 1, bool marks = true) const {
    RecordGradients gradients(model_.tape(), records, threads, outcome_);
    ClipSettings settings{.grid = NoiseGrid(1.0),
                          .clip_bound = 0.4,
                          .dimension = model_.dimension(),
                          .max_records = 100000};
    if (marks) settings.coordinate = ClipCoordinate{.size = 0.25, .unshortened_share = 0.9};
    ClippedSum sum =
        Collective().reduce(gradients.clipped_sums(settings, coordinates_, theta_, chosen));
    return integers_for_tests(sum);
  }

  double log_density(std::size_t record, std::int32_t outcome) const {
    const RecordTable one = model_.prepare(std::vector<MockRecord>{{rows_[record], {outcome}}});
    const std::uint64_t first = 0;
    return RecordGradients(model_.tape(), one, 1).plain_value(theta_, {&first, 1}).value;
  }

  static constexpr int kRecords = 50;
  RecordModel model_;
  OutcomeColumns outcome_;
  std::vector<double> theta_;
  Coordinates coordinates_;
  std::vector<std::vector<double>> rows_;
};

// Clipping to 0.4 shortens most of these records. Rounding to integers and single precision leave
// the mean within a millionth of the bound.
TEST_P(OutcomeGradients, HaveMeanZeroUnderTheLawOfTheOutcome) {
  std::vector<RecordTable> tables;
  for (std::int32_t value = outcome_.lowest; value <= outcome_.highest; ++value) {
    tables.push_back(table([&](std::size_t) { return value; }));
  }
  const double bound = static_cast<double>(NoiseGrid(1.0).integer_bound());
  for (std::uint64_t record = 0; record < rows_.size(); ++record) {
    std::vector<double> mean(model_.dimension(), 0.0);
    double longest = 0.0;
    for (std::size_t k = 0; k < tables.size(); ++k) {
      const Integers vector = integers(tables[k], {&record, 1}, 1, false);
      const double p = std::exp(log_density(record, outcome_.lowest + static_cast<int>(k)));
      double squares = 0.0;
      for (std::size_t j = 0; j < mean.size(); ++j) {
        mean[j] += p * static_cast<double>(vector[j]) / bound;
        squares += std::pow(static_cast<double>(vector[j]) / bound, 2);
      }
      longest = std::max(longest, std::sqrt(squares));
    }
    EXPECT_LE(longest, 1.0);
    for (const double entry : mean) EXPECT_NEAR(entry, 0.0, 4e-6) << "record " << record;
  }
}

TEST_P(OutcomeGradients, ARecordsIntegersDoNotDependOnItsLaneOrNeighbours) {
  const RecordTable records = table([&](std::size_t i) {
    return outcome_.lowest + static_cast<std::int32_t>(i % (outcome_.others() + 1));
  });
  for (std::uint64_t record = 0; record < rows_.size(); record += 7) {
    expect_alone_in_every_lane(record, rows_.size(), integers(records, {&record, 1}),
                               [&](const auto& chosen) { return integers(records, chosen); });
  }
}

TEST_P(OutcomeGradients, DoNotDependOnThreadsOrOrder) {
  const RecordTable records = table([&](std::size_t i) {
    return outcome_.lowest + static_cast<std::int32_t>(i % (outcome_.others() + 1));
  });
  std::vector<std::uint64_t> all(rows_.size());
  std::iota(all.begin(), all.end(), 0u);
  expect_same_for_any_threads_and_order(
      all, [&](const auto& chosen, int threads) { return integers(records, chosen, threads); });
}

INSTANTIATE_TEST_SUITE_P(
    Paths, OutcomeGradients,
    testing::Combine(testing::ValuesIn(kCases),
                     testing::Values(Precision::single_precision, Precision::double_precision)),
    [](const auto& one) {
      return std::string(std::get<0>(one.param).name) +
             (std::get<1>(one.param) == Precision::single_precision ? "_single" : "_double");
    });

}  // namespace
}  // namespace dpvi
