#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// By how much the information of real records differs from that of mock records: in coordinates in
// which the latter is the identity, the former is e^S with a symmetric matrix S.
struct CurvatureCorrection {
  Eigen::MatrixXd log_ratio;  // S, as far as it is known
  double spread = 0.0;        // sd of an off-diagonal entry of S that remains
  double common_spread = 0.0; // sd of a part common to all diagonal entries
};

// What is believed without a release: columns may be correlated, and all may matter more or less.
CurvatureCorrection unknown_curvature(Eigen::Index size);

// Infers S from a noisy measurement of e^S. `noise_sd` is that of a diagonal entry; that of an
// off-diagonal entry is smaller by sqrt(2).
CurvatureCorrection infer_curvature(const Eigen::MatrixXd& measured, double noise_sd);

// Draws of what remains unknown of S.
std::vector<Eigen::MatrixXd> draw_remaining(const CurvatureCorrection& correction, std::size_t count,
                                            SeededStream& stream);

// e^S.
Eigen::MatrixXd exponential(const Eigen::MatrixXd& symmetric);

}  // namespace dpvi
