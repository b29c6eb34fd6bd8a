#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dpvi/sample/conditional_normals.hpp>
#include <dpvi/sample/log_density.hpp>

namespace dpvi {

// Coordinates in which a hierarchy has no funnel. Each conditional normal theta_j is written as
// theta_j = c + d z_j. Its prior given the parents is N(m, s^2), and what is known about it
// otherwise is taken as N(t, 1/p). Then c and d are the mean and standard deviation of the product
// of the two: z_j is standard normal whatever the parents are, if all these are exact. With p = 0
// this is the non-centred form, and with large p the centred one.
//
// The map is one to one and its Jacobian is accounted for, so wrong t and p, or a wrong structure,
// cost efficiency but never correctness.
class CentringMap {
 public:
  // `means` and `precisions` have t and p for each coordinate of theta; p is 0 without information.
  // A parent also gets what its children say about it, at `typical` values of the others.
  CentringMap(ConditionalLevels levels, std::vector<double> means, std::vector<double> precisions,
              std::span<const double> typical);

  bool is_identity() const { return levels_.empty(); }
  const ConditionalLevels& levels() const { return levels_; }

  // Replaces each z by theta. Returns the log of the Jacobian.
  double to_theta(std::span<double> point) const;
  // Replaces each theta by z.
  void from_theta(std::span<double> point) const;
  // Turns the gradient of a log density with respect to theta into that of the log density of the
  // working coordinates. `point` is in working coordinates and `theta` is its image.
  void pull_back(std::span<const double> point, std::span<const double> theta,
                 std::span<double> gradient) const;

  // A density of theta as a density of the working coordinates. Both must outlive it.
  LogDensity pulled_back(const LogDensity& density) const;

 private:
  void add_messages(std::span<const double> typical);
  void add_message(const ConditionalNormals::Parent& parent, double value, double variance);

  ConditionalLevels levels_;
  std::vector<double> means_;
  std::vector<double> precisions_;
};

}  // namespace dpvi
