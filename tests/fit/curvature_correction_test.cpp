#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <dpvi/fit/trace/curvature_correction_internal.hpp>

namespace dpvi {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Columns with correlation .5, whose information mock records take for the identity.
MatrixXd correlated(Eigen::Index size) {
  MatrixXd matrix = MatrixXd::Constant(size, size, 0.5);
  matrix.diagonal().setOnes();
  return matrix;
}

TEST(CurvatureCorrection, FollowsAReleaseWithLittleNoise) {
  const MatrixXd truth = correlated(4);
  const CurvatureCorrection found =
      infer_curvature(truth, VectorXd::Constant(4, 1e-4), std::vector<bool>(4, true));
  const MatrixXd ratio = exponential(found.log_ratio);
  EXPECT_LT((ratio - truth).cwiseAbs().maxCoeff(), 0.03);
  EXPECT_LT(found.spread, 0.05);
}

TEST(CurvatureCorrection, KeepsItsPriorWhereNoiseDrownsTheRelease) {
  const std::vector<bool> common(4, true);
  const CurvatureCorrection nothing = unknown_curvature(common);
  const CurvatureCorrection found =
      infer_curvature(100.0 * correlated(4), VectorXd::Constant(4, 1e6), common);
  EXPECT_LT((found.log_ratio - nothing.log_ratio).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_NEAR(found.spread, nothing.spread, 1e-2);
}

// A coordinate that few records touch has a size of its own and no correlations.
TEST(CurvatureCorrection, OfARareCoordinateIsItsSize) {
  MatrixXd measured = correlated(3);
  measured(2, 2) = 2.0;
  const CurvatureCorrection found =
      infer_curvature(measured, VectorXd::Constant(3, 1e-4), {true, true, false});
  EXPECT_NEAR(found.log_ratio(2, 2), std::log(2.0), 0.02);
  EXPECT_EQ(found.log_ratio(0, 2), 0.0);
  EXPECT_LT(found.own_spread[2], 0.05);
  SeededStream stream = SeededGenerator(1).stream({.label = StreamLabel::predictive_draw});
  for (const MatrixXd& draw : draw_remaining(found, 10, stream)) EXPECT_EQ(draw(0, 2), 0.0);
}

TEST(CurvatureCorrection, DrawsScatterAsTheSpreadSays) {
  const CurvatureCorrection nothing = unknown_curvature({true, true});
  SeededStream stream = SeededGenerator(2).stream({.label = StreamLabel::predictive_draw});
  double squares = 0.0;
  constexpr std::size_t kDraws = 4000;
  for (const MatrixXd& draw : draw_remaining(nothing, kDraws, stream)) {
    EXPECT_EQ(draw(0, 1), draw(1, 0));
    squares += draw(0, 1) * draw(0, 1) / kDraws;
  }
  EXPECT_NEAR(std::sqrt(squares), nothing.spread, 0.05 * nothing.spread);
}

TEST(CurvatureCorrection, ExponentialIsThatOfTheEigenvalues) {
  const MatrixXd symmetric = correlated(3) - 0.7 * MatrixXd::Identity(3, 3);
  MatrixXd term = MatrixXd::Identity(3, 3), sum = term;
  for (int k = 1; k < 30; ++k) {
    term = term * symmetric / k;
    sum += term;
  }
  EXPECT_LT((exponential(symmetric) - sum).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace dpvi
