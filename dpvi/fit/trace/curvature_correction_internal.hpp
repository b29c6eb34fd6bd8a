#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// By how much the information of real records differs from that of mock records: in coordinates in
// which the latter is the identity, the former is e^S with a symmetric matrix S.
//
// Coordinates that most records touch are correlated in unknown ways. A coordinate that few records
// touch, such as the effect of a group, has a diagonal entry only: the group may be larger or
// smaller.
struct CurvatureCorrection {
  Eigen::MatrixXd log_ratio;   // S, as far as it is known
  std::vector<bool> common;    // coordinates that most records touch
  double spread = 0.0;         // sd of an off-diagonal entry of S that remains, for those
  double shared_spread = 0.0;  // sd of a part shared by the diagonal entries of those
  Eigen::VectorXd own_spread;  // sd of the diagonal entry of each other coordinate
};

// What is believed without a release: columns may be correlated, and all may matter more or less.
CurvatureCorrection unknown_curvature(std::vector<bool> common);

// The same if mock records lack nothing that real ones have: the information is theirs.
CurvatureCorrection known_curvature(std::vector<bool> common);

// Infers S from a noisy measurement of e^S. `noise_sds` are those of diagonal entries; that of an
// off-diagonal entry is smaller by sqrt(2).
CurvatureCorrection infer_curvature(const Eigen::MatrixXd& measured,
                                    const Eigen::VectorXd& noise_sds, std::vector<bool> common);

// Draws of what remains unknown of S.
std::vector<Eigen::MatrixXd> draw_remaining(const CurvatureCorrection& correction,
                                            std::size_t count, SeededStream& stream);

// e^S.
Eigen::MatrixXd exponential(const Eigen::MatrixXd& symmetric);

}  // namespace dpvi
