#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dpvi {

enum class FamilyKind {
  mean_field,  // independent coordinates
  full_rank    // any covariance
};

// Gaussian variational family over unconstrained parameters: theta = m + L eta with eta standard
// normal. L is lower triangular with a positive diagonal; mean-field keeps the diagonal alone.
//
// Its parameters are one flat vector: location m (D entries), log of L's diagonal (D), and for full
// rank the entries of L below the diagonal, row by row (D (D - 1) / 2).
class GaussianFamily {
 public:
  GaussianFamily(FamilyKind kind, std::size_t dimension);

  FamilyKind kind() const { return kind_; }
  std::size_t dimension() const { return dimension_; }
  std::size_t parameter_count() const;

  std::vector<double> parameters(std::span<const double> location, double scale) const;
  // From a location and a lower triangular factor, row-major D x D with a positive diagonal; mean
  // field keeps each coordinate's own standard deviation.
  std::vector<double> parameters(std::span<const double> location,
                                 std::span<const double> factor) const;

  // From a location and a standard deviation for each coordinate.
  std::vector<double> independent(std::span<const double> location,
                                  std::span<const double> scales) const;

  // theta = m + L eta.
  void transform(std::span<const double> parameters, std::span<const double> eta,
                 std::span<double> theta) const;

  // Gradient of E[log p(theta)] + entropy with respect to the parameters, from the gradient of
  // log p at the theta that `eta` gave (Titsias & Lazaro-Gredilla 2014). The scale's part follows
  // from the location's, so noise added to the latter covers both (Jalko et al. 2022, "aligned
  // gradients").
  void pull_back(std::span<const double> parameters, std::span<const double> eta,
                 std::span<const double> theta_gradient, std::span<double> gradient) const;

  // log q(theta) at the theta that `eta` gave.
  double log_density(std::span<const double> parameters, std::span<const double> eta) const;

  std::span<const double> location(std::span<const double> parameters) const {
    return parameters.first(dimension_);
  }
  // Standard deviation of each coordinate.
  std::vector<double> standard_deviations(std::span<const double> parameters) const;
  // L, row-major D x D.
  std::vector<double> factor(std::span<const double> parameters) const;

 private:
  std::span<const double> log_diagonal(std::span<const double> parameters) const {
    return parameters.subspan(dimension_, dimension_);
  }

  FamilyKind kind_;
  std::size_t dimension_;
};

}  // namespace dpvi
