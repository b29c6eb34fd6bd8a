#pragma once

#include <memory>
#include <span>

namespace dpvi {

// The covariance diag(s)^2 + B B' of D coordinates, where B has few columns: what is wanted of its
// inverse and determinant, in O(D rank^2) by Woodbury's identity.
class LowRankCovariance {
 public:
  // B is row-major.
  LowRankCovariance(std::span<const double> log_s, std::span<const double> columns);
  ~LowRankCovariance();

  double half_log_determinant() const;
  // x' (covariance)^-1 x.
  double square(std::span<const double> x) const;
  // Adds the gradient of half_log_determinant() by log s (D entries), then by B, row-major.
  void add_entropy_gradient(std::span<double> gradient) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace dpvi
