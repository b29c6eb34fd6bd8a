#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/model/transform.hpp>
#include <dpvi/tape/graph/terms.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>
#include <tests/model/golden_cases.hpp>

namespace dpvi {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct NamedParameter {
  std::string name;
  Transform transform;
  ConstrainedNode node;
};

// The parameters of golden/transforms.stan, in the same order.
class AllKinds {
 public:
  AllKinds() {
    using Kind = TransformKind;
    const NodeId plain = add("plain", {.kind = Kind::identity});
    const NodeId low = add("low", {.kind = Kind::bounded, .lower = number(1.5)});
    add("high", {.kind = Kind::bounded, .upper = number(-0.5)});
    add("both", {.kind = Kind::bounded, .lower = number(-1.0), .upper = number(3.0)});
    add("low_open", {.kind = Kind::bounded, .lower = number(-kInf)});
    add("high_open", {.kind = Kind::bounded, .upper = number(kInf)});
    add("both_open", {.kind = Kind::bounded, .lower = number(-kInf), .upper = number(kInf)});
    add("half_open", {.kind = Kind::bounded, .lower = number(-kInf), .upper = number(2.0)});
    add("mixed", {.kind = Kind::bounded,
                  .rows = 3,
                  .lower = numbers({-1.0, -kInf, 0.5}),
                  .upper = numbers({2.0, 3.0, kInf})});
    add("moving",
        {.kind = Kind::bounded, .rows = 2, .lower = low, .upper = builder_.add(low, number(2.0))});
    add("affine", {.kind = Kind::affine, .rows = 3, .offset = plain, .multiplier = low});
    add("stretched", {.kind = Kind::affine, .rows = 3, .multiplier = numbers({0.5, 2.0, 3.0})});
    add("rising", {.kind = Kind::ordered, .rows = 4});
    add("rising_positive", {.kind = Kind::positive_ordered, .rows = 3});
    add("shares", {.kind = Kind::simplex, .rows = 4});
    add("certain", {.kind = Kind::simplex, .rows = 1});
    add("direction", {.kind = Kind::unit_vector, .rows = 3});
    add("contrast", {.kind = Kind::sum_to_zero_vector, .rows = 4});
    add("contrasts", {.kind = Kind::sum_to_zero_matrix, .rows = 3, .columns = 4});
    add("factor_corr", {.kind = Kind::cholesky_factor_corr, .rows = 4, .columns = 4});
    add("factor_cov", {.kind = Kind::cholesky_factor_cov, .rows = 3, .columns = 3});
    add("factor_tall", {.kind = Kind::cholesky_factor_cov, .rows = 4, .columns = 2});
    add("correlation", {.kind = Kind::corr_matrix, .rows = 4, .columns = 4});
    add("covariance", {.kind = Kind::cov_matrix, .rows = 3, .columns = 3});
    add("columns_of_shares", {.kind = Kind::column_stochastic_matrix, .rows = 3, .columns = 2});
    add("rows_of_shares", {.kind = Kind::row_stochastic_matrix, .rows = 3, .columns = 2});
  }

  const std::vector<NamedParameter>& parameters() const { return parameters_; }
  const Graph& graph() const { return builder_.graph(); }
  std::int32_t free_count() const { return next_; }

  // The program's log density: the Jacobians plus a weighted sum of all values.
  NodeId log_density() {
    std::vector<NodeId> terms;
    std::vector<NodeId> scalars;
    for (const NamedParameter& parameter : parameters_) {
      terms.push_back(parameter.node.log_jacobian);
      const bool scalar = parameter.transform.rows == 1 && parameter.name != "certain";
      if (scalar)
        scalars.push_back(parameter.node.value);
      else
        terms.push_back(weigh(parameter.node.value));
    }
    terms.push_back(weigh(builder_.pack(scalars)));
    return add_terms(builder_, terms);
  }

 private:
  NodeId number(double value) { return builder_.constant(value); }
  NodeId numbers(std::vector<double> values) { return builder_.constant(values); }

  NodeId add(const std::string& name, const Transform& transform) {
    const NodeId free = builder_.theta(next_, free_size(transform));
    next_ += free_size(transform);
    parameters_.push_back({name, transform, constrain(builder_, transform, free)});
    return parameters_.back().node.value;
  }

  NodeId weigh(NodeId x) {
    const std::int32_t n = builder_.length(x);
    std::vector<double> weights;
    for (std::int32_t i = 0; i < n; ++i) {
      weights.push_back(n == 1 ? 1.7 : 0.3 + 1.4 * i / (n - 1));
    }
    const NodeId squares = builder_.mul(builder_.dot(x, x), number(1.0 / 7.0));
    return builder_.add(builder_.dot(x, builder_.constant(weights)), squares);
  }

  GraphBuilder builder_;
  std::vector<NamedParameter> parameters_;
  std::int32_t next_ = 0;
};

// Stan JSON stores matrices by rows, nodes store them by columns.
double stan_entry(const nlohmann::json& value, const Transform& transform, std::int32_t i) {
  if (!value.is_array()) return golden_number(value);
  const auto row = static_cast<std::size_t>(i % transform.rows);
  const auto& entry = value.at(row);
  return golden_number(entry.is_array() ? entry.at(static_cast<std::size_t>(i / transform.rows))
                                        : entry);
}

TEST(Transform, ConstrainedValuesAreStans) {
  const AllKinds all;
  for (const auto& point : golden_cases("transforms.json")) {
    const std::vector<double> theta = golden_numbers(point.at("theta"));
    ASSERT_EQ(static_cast<std::int32_t>(theta.size()), all.free_count());
    for (const NamedParameter& parameter : all.parameters()) {
      const auto values = reference_values(all.graph(), parameter.node.value, theta);
      ASSERT_EQ(static_cast<std::int32_t>(values.size()),
                parameter.transform.rows * parameter.transform.columns);
      const auto& expected = point.at("constrained").at(parameter.name);
      for (std::size_t i = 0; i < values.size(); ++i) {
        expect_close(values[i],
                     stan_entry(expected, parameter.transform, static_cast<std::int32_t>(i)), 1e-13,
                     parameter.name);
      }
    }
  }
}

TEST(Transform, LogJacobiansAndGradientsAreStans) {
  AllKinds all;
  const NodeId root = all.log_density();
  for (const auto& point : golden_cases("transforms.json")) {
    const std::vector<double> theta = golden_numbers(point.at("theta"));
    double log_jacobian = 0.0;
    for (const NamedParameter& parameter : all.parameters()) {
      log_jacobian += reference_values(all.graph(), parameter.node.log_jacobian, theta)[0];
    }
    const double stan_lp = golden_number(point.at("lp"));
    expect_close(log_jacobian, stan_lp - golden_number(point.at("lp_no_jacobian")), 1e-12, "sum");
    const ReferenceGradient result = reference_gradient(all.graph(), root, theta);
    expect_close(result.value, stan_lp, 1e-12, "lp");
    const std::vector<double> gradient = golden_numbers(point.at("grad"));
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      expect_close(result.gradient[i], gradient[i], 1e-11, "gradient " + std::to_string(i));
    }
  }
}

// Returns the entries that determine all others, or an empty list if there is no such set.
std::vector<std::int32_t> coordinates(const Transform& transform) {
  std::vector<std::int32_t> chosen;
  for (std::int32_t column = 0; column < transform.columns; ++column) {
    for (std::int32_t row = 0; row < transform.rows; ++row) {
      bool determines = true;
      switch (transform.kind) {
        case TransformKind::simplex:
        case TransformKind::column_stochastic_matrix:
          determines = row < transform.rows - 1;
          break;
        case TransformKind::row_stochastic_matrix:
          determines = column < transform.columns - 1;
          break;
        case TransformKind::cholesky_factor_corr:
        case TransformKind::corr_matrix:
          determines = row > column;
          break;
        case TransformKind::cholesky_factor_cov:
        case TransformKind::cov_matrix:
          determines = row >= column;
          break;
        default:
          break;
      }
      if (determines) chosen.push_back(column * transform.rows + row);
    }
  }
  return chosen;
}

std::vector<Transform> volume_changing_transforms() {
  using Kind = TransformKind;
  return {{.kind = Kind::ordered, .rows = 4},
          {.kind = Kind::positive_ordered, .rows = 4},
          {.kind = Kind::simplex, .rows = 5},
          {.kind = Kind::cholesky_factor_corr, .rows = 4, .columns = 4},
          {.kind = Kind::corr_matrix, .rows = 4, .columns = 4},
          {.kind = Kind::cholesky_factor_cov, .rows = 3, .columns = 3},
          {.kind = Kind::cholesky_factor_cov, .rows = 4, .columns = 2},
          {.kind = Kind::cov_matrix, .rows = 3, .columns = 3},
          {.kind = Kind::column_stochastic_matrix, .rows = 3, .columns = 2},
          {.kind = Kind::row_stochastic_matrix, .rows = 2, .columns = 3}};
}

// The Jacobian of the chosen entries with respect to the free parameters.
Eigen::MatrixXd derivatives(GraphBuilder& builder, NodeId value, const std::vector<double>& theta,
                            const std::vector<std::int32_t>& entries) {
  Eigen::MatrixXd matrix(entries.size(), theta.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const NodeId entry = builder.element(value, entries[i]);
    const auto row = reference_gradient(builder.graph(), entry, theta).gradient;
    for (std::size_t j = 0; j < theta.size(); ++j) {
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = row[j];
    }
  }
  return matrix;
}

std::vector<double> random_point(std::int32_t size, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<double> point(static_cast<std::size_t>(size));
  for (double& value : point) value = normal(generator);
  return point;
}

TEST(Transform, LogJacobianIsTheLogDeterminantOfTheDerivatives) {
  for (const Transform& transform : volume_changing_transforms()) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      GraphBuilder builder;
      const std::vector<double> theta = random_point(free_size(transform), seed);
      const ConstrainedNode node =
          constrain(builder, transform, builder.theta(0, free_size(transform)));
      const auto matrix = derivatives(builder, node.value, theta, coordinates(transform));
      ASSERT_EQ(matrix.rows(), matrix.cols());
      const double expected = std::log(std::fabs(matrix.determinant()));
      const double actual = reference_values(builder.graph(), node.log_jacobian, theta)[0];
      EXPECT_NEAR(actual, expected, 1e-9 * (1.0 + std::fabs(expected)))
          << static_cast<int>(transform.kind);
    }
  }
}

TEST(Transform, SumToZeroKeepsLengthsAndVolume) {
  const Transform vector{.kind = TransformKind::sum_to_zero_vector, .rows = 5};
  const Transform matrix{.kind = TransformKind::sum_to_zero_matrix, .rows = 4, .columns = 3};
  for (const Transform& transform : {vector, matrix}) {
    GraphBuilder builder;
    const std::vector<double> theta = random_point(free_size(transform), 7);
    const ConstrainedNode node =
        constrain(builder, transform, builder.theta(0, free_size(transform)));
    std::vector<std::int32_t> all(static_cast<std::size_t>(builder.length(node.value)));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
    const auto derivative = derivatives(builder, node.value, theta, all);
    const Eigen::MatrixXd gram = derivative.transpose() * derivative;
    EXPECT_TRUE(gram.isApprox(Eigen::MatrixXd::Identity(gram.rows(), gram.cols()), 1e-12));
    EXPECT_NEAR(derivative.colwise().sum().norm(), 0.0, 1e-12);
    EXPECT_EQ(reference_values(builder.graph(), node.log_jacobian, theta)[0], 0.0);
  }
}

// For extreme parameters inv_logit and tanh round to their limits; the log density stays finite.
TEST(Transform, ExtremeFreeNumbersKeepFiniteJacobiansAndGradients) {
  std::vector<Transform> transforms = volume_changing_transforms();
  GraphBuilder builder;
  transforms.push_back({.kind = TransformKind::bounded,
                        .rows = 3,
                        .lower = builder.constant(0.0),
                        .upper = builder.constant(1.0)});
  for (const Transform& transform : transforms) {
    const auto size = static_cast<std::size_t>(free_size(transform));
    const ConstrainedNode node =
        constrain(builder, transform, builder.theta(0, free_size(transform)));
    for (const double extreme : {-60.0, 60.0}) {
      const std::vector<double> theta(size, extreme);
      const auto result = reference_gradient(builder.graph(), node.log_jacobian, theta);
      EXPECT_TRUE(std::isfinite(result.value)) << static_cast<int>(transform.kind);
      for (const double slope : result.gradient) EXPECT_TRUE(std::isfinite(slope));
      for (const double value : reference_values(builder.graph(), node.value, theta)) {
        EXPECT_TRUE(std::isfinite(value));
      }
    }
  }
}

TEST(Transform, BoundsInTheWrongOrderGiveNan) {
  GraphBuilder builder;
  const std::vector<double> theta = {0.3, 2.0};
  const Transform transform{
      .kind = TransformKind::bounded, .lower = builder.theta(1), .upper = builder.constant(1.0)};
  const ConstrainedNode node = constrain(builder, transform, builder.theta(0));
  EXPECT_TRUE(std::isnan(reference_values(builder.graph(), node.value, theta)[0]));
  EXPECT_TRUE(std::isnan(reference_values(builder.graph(), node.log_jacobian, theta)[0]));
}

TEST(Transform, MultiplierMustBePositiveAndOffsetFinite) {
  for (const double multiplier : {0.0, -1.0, kInf}) {
    GraphBuilder builder;
    const Transform transform{.kind = TransformKind::affine,
                              .multiplier = builder.constant(multiplier)};
    const ConstrainedNode node = constrain(builder, transform, builder.theta(0));
    EXPECT_TRUE(std::isnan(reference_values(builder.graph(), node.value, {{0.3}})[0]));
  }
  GraphBuilder builder;
  const Transform transform{.kind = TransformKind::affine, .offset = builder.constant(kInf)};
  const ConstrainedNode node = constrain(builder, transform, builder.theta(0));
  EXPECT_TRUE(std::isnan(reference_values(builder.graph(), node.value, {{0.3}})[0]));
}

TEST(Transform, AValueOfNoEntriesNeedsNoFreeNumbers) {
  GraphBuilder builder;
  const Transform transform{.kind = TransformKind::ordered, .rows = 0};
  const ConstrainedNode node = constrain(builder, transform, builder.theta(0, 0));
  EXPECT_EQ(builder.length(node.value), 0);
  EXPECT_EQ(node.log_jacobian, builder.constant(0.0));
}

TEST(Transform, ALengthThatDoesNotFitIsRefused) {
  GraphBuilder builder;
  const Transform transform{.kind = TransformKind::simplex, .rows = 4};
  EXPECT_THROW(constrain(builder, transform, builder.theta(0, 4)), InternalError);
}

}  // namespace
}  // namespace dpvi
