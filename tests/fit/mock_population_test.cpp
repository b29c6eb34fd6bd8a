#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include <dpvi/fit/mock/mock_records.hpp>
#include <dpvi/fit/prepare/prepared_records.hpp>
#include <dpvi/fit/trace/mock_clipping_internal.hpp>
#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/privacy/collective.hpp>
#include <dpvi/privacy/unprotected_mechanism.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* kOrdinal = R"(
data { int N; vector[N] a; array[N] int<lower=1, upper=4> y; }
parameters { real beta; ordered[3] c; }
model { beta ~ normal(0, 1); c ~ normal(0, 2); y ~ ordered_logistic(beta * a, c); }
)";
constexpr const char* kPoisson = R"(
data { int N; vector[N] a; array[N] int<lower=0> y; }
parameters { real alpha; real beta; }
model { alpha ~ normal(0, 1); beta ~ normal(0, 1); y ~ poisson_log(alpha + beta * a); }
)";

std::shared_ptr<const OutcomeSimulator> simulator_of(const BoundProgram& bound) {
  return std::make_shared<const OutcomeSimulator>(bound.model, bound.binding);
}

// With several outcomes in turn, clipped gradients of every record have mean zero, whatever its
// covariates are, and their products with scores are the slope.
TEST(MockClipping, HasNoBiasForAnyRecordIfOutcomesAreSimulated) {
  const BoundProgram bound = bind_program(kPoisson);
  constexpr Eigen::Index kRecords = 100, kOutcomes = 9;
  MockPopulation population(bound.model, bound.binding, {}, simulator_of(bound), kRecords,
                            kOutcomes);
  const std::vector<double> theta = {1.0, 0.8};
  population.redraw(theta);
  const MockScores scores = population.scores(theta);
  ASSERT_EQ(scores.gradients.size(), static_cast<std::size_t>(kOutcomes));
  const MockClipping clipping(scores, MatrixXd::Identity(2, 2), ClipCentre::law);
  const double bound_below_most = 0.5;
  const MatrixXd clipped = clipping.clipped(bound_below_most);
  ASSERT_EQ(clipped.rows(), kRecords * kOutcomes);
  EXPECT_LE(clipped.rowwise().norm().maxCoeff(), bound_below_most * (1.0 + 1e-9));
  for (Eigen::Index i = 0; i < kRecords; ++i) {
    VectorXd sum = VectorXd::Zero(2);
    for (Eigen::Index k = 0; k < kOutcomes; ++k) sum += clipped.row(k * kRecords + i).transpose();
    EXPECT_LT(sum.norm(), 1e-9) << i;
  }
  const MatrixXd unclipped = clipping.clipped(1e6);
  const MatrixXd slope = unclipped.transpose() * scores.own_gradients() / (kRecords * kOutcomes);
  const MatrixXd squares =
      scores.own_gradients().transpose() * scores.own_gradients() / (kRecords * kOutcomes);
  // One of nine outcomes is the record's own, and the mean of all nine is subtracted.
  EXPECT_NEAR(slope(0, 0), squares(0, 0) * 8.0 / 9.0, 0.05 * squares(0, 0));
}

// At the point that generates the outcomes, scores have mean zero and their mean square is minus
// the mean of their derivative.
TEST(MockPopulation, ScoresSatisfyTheInformationEquality) {
  for (const char* text : {kLogisticProgram, kOrdinal, kPoisson}) {
    const BoundProgram bound = bind_program(text);
    const OutcomeLaw law = find_outcome_law(bound.model, bound.binding);
    MockPopulation population(bound.model, bound.binding, law, simulator_of(bound), 20000);
    ASSERT_TRUE(population.has_law());
    std::vector<double> theta(bound.model.dimension(), 0.3);
    population.redraw(theta);
    const MatrixXd scores = population.scores(theta).own_gradients();
    const double count = static_cast<double>(scores.rows());
    const VectorXd mean = scores.colwise().mean().transpose();
    const MatrixXd squares = scores.transpose() * scores / count;
    for (Eigen::Index j = 0; j < mean.size(); ++j) {
      EXPECT_LT(std::abs(mean[j]), 5.0 * std::sqrt(squares(j, j) / count)) << text;
      constexpr double kStep = 1e-4;
      theta[static_cast<std::size_t>(j)] += kStep;
      const VectorXd moved = population.scores(theta).own_gradients().colwise().mean().transpose();
      theta[static_cast<std::size_t>(j)] -= kStep;
      EXPECT_NEAR(-(moved[j] - mean[j]) / kStep, squares(j, j), 0.06 * squares(j, j) + 0.01)
          << text;
    }
  }
}

// The clipped gradients of mock records are those of the production clipper, up to its grid.
TEST(MockClippings, AreThoseOfTheProductionClipper) {
  for (const char* text : {kLogisticProgram, kOrdinal, kPoisson}) {
    const BoundProgram bound = bind_program(text);
    const OutcomeLaw law = find_outcome_law(bound.model, bound.binding);
    const std::vector<double> theta(bound.model.dimension(), 0.4);
    MockPopulation population(bound.model, bound.binding, law, simulator_of(bound), 64);
    population.redraw(theta);
    std::vector<MockRecord> rows = population.rows();
    const MockScores scores = population.scores(theta);
    const Eigen::Index size = scores.gradients[0].cols();
    const double bound_on_norm = 0.4;
    const MatrixXd clipped = MockClipping(scores, MatrixXd::Identity(size, size), ClipCentre::law)
                                 .clipped(bound_on_norm);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!law.columns) continue;
      rows[i].integers[static_cast<std::size_t>(law.columns->integer)] =
          law.columns->lowest + static_cast<std::int32_t>(scores.own[i]);
    }
    PreparedRecords prepared(bound.model.tape(), Precision::double_precision, law.columns);
    for (const MockRecord& row : rows) prepared.append(row.reals, row.integers);
    const RecordTable table = std::move(prepared).gathered();
    RecordGradients gradients(bound.model.tape(), table, 1, law.columns);
    const ClipSettings settings{.grid = NoiseGrid(1.0 / 64.0),
                                .clip_bound = bound_on_norm,
                                .dimension = static_cast<std::size_t>(size),
                                .max_records = 1000};
    for (std::uint64_t record = 0; record < rows.size(); ++record) {
      UnprotectedMechanism mechanism;
      const Released alone = mechanism.release(Collective().reduce(gradients.clipped_sums(
          settings, Coordinates::identity(static_cast<std::size_t>(size)), theta, {&record, 1})));
      for (Eigen::Index j = 0; j < size; ++j) {
        EXPECT_NEAR(alone.values()[static_cast<std::size_t>(j)],
                    clipped(static_cast<Eigen::Index>(record), j), 1e-5)
            << text << ", record " << record;
      }
    }
  }
}

}  // namespace
}  // namespace dpvi
