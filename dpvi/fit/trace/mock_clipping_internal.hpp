#pragma once

#include <vector>

#include <Eigen/Core>

#include <dpvi/fit/plan/clip_plan.hpp>
#include <dpvi/fit/trace/mock_population_internal.hpp>

namespace dpvi {

// Scores of mock records in working coordinates, ready to be clipped as the private step would clip
// them.
class MockClipping {
 public:
  // theta = centre + factor * z.
  MockClipping(const MockScores& scores, const Eigen::MatrixXd& factor, ClipCentre centre);

  // Gradients of the records' own outcomes.
  const Eigen::MatrixXd& gradients() const { return own_; }
  // Norms that decide whether a record is shortened: of the longest gradient over its outcomes.
  const Eigen::VectorXd& norms() const { return norms_; }
  // The clipped gradients, in the order of gradients().
  Eigen::MatrixXd clipped(double bound) const;

 private:
  Eigen::MatrixXd clipped_around_centre(double bound) const;
  Eigen::MatrixXd clipped_in_turn(double bound) const;

  ClipCentre centre_;
  Eigen::MatrixXd own_;
  Eigen::VectorXd norms_;
  // With a law of more than two values: gradients and log densities of all of them.
  std::vector<Eigen::MatrixXd> all_;
  std::vector<Eigen::VectorXd> log_densities_;
  std::vector<std::size_t> own_place_;
};

}  // namespace dpvi
