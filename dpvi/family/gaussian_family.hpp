#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <dpvi/base/gradient_term.hpp>

namespace dpvi {

enum class FamilyKind {
  mean_field,  // independent coordinates
  low_rank,    // a few shared factors in addition to independent coordinates
  full_rank    // any covariance
};
inline constexpr FamilyKind kFamilies[] = {FamilyKind::mean_field, FamilyKind::low_rank,
                                           FamilyKind::full_rank};

std::string_view name_of(FamilyKind kind);

// Gaussian variational family over unconstrained parameters: theta = m + L eta with eta standard
// normal. L is lower triangular with a positive diagonal; mean-field has the diagonal alone. In a
// low-rank family L is the diagonal followed by `rank` columns B, and eta is longer by `rank`.
//
// The parameters are one flat vector: location m (D entries), log of L's diagonal (D), then the
// other entries row by row. Those are the D (D - 1) / 2 entries of L below the diagonal for full
// rank, and the D rank entries of B for low rank. Each is divided by its row's diagonal entry and
// by kCorrelationScale.
//
// So a step of one size changes correlations less than scales, because correlations are more
// numerous and less well determined. It also changes correlations only within what the scales
// allow; otherwise noise alone would widen the Gaussian without limit.
class GaussianFamily {
 public:
  GaussianFamily(FamilyKind kind, std::size_t dimension, std::size_t rank = 0);

  FamilyKind kind() const { return kind_; }
  std::size_t dimension() const { return dimension_; }
  std::size_t rank() const { return rank_; }
  std::size_t draw_size() const { return dimension_ + rank_; }  // length of eta
  std::size_t parameter_count() const;

  // Parameters for a location and the coordinates' standard deviations.
  std::vector<double> parameters_of_scales(std::span<const double> location,
                                           std::span<const double> scales) const;
  // For mean field and full rank: parameters for a location and a lower triangular factor,
  // row-major D x D with a positive diagonal. Mean field keeps each coordinate's own standard
  // deviation.
  std::vector<double> parameters(std::span<const double> location,
                                 std::span<const double> factor) const;
  // For low rank: parameters for a location, L's diagonal and B, row-major.
  std::vector<double> parameters(std::span<const double> location, std::span<const double> diagonal,
                                 std::span<const double> columns) const;

  // theta = m + L eta.
  void transform(std::span<const double> parameters, std::span<const double> eta,
                 std::span<double> theta) const;

  // Terms that convert the gradient of log p with respect to theta into the gradient with respect
  // to the parameters, at the theta given by `eta` (Titsias & Lazaro-Gredilla 2014). The parameter
  // gradient follows entirely from the theta gradient, so noise added to the latter covers the
  // former (Jalko et al. 2022, "aligned gradients").
  std::vector<GradientTerm> gradient_terms(std::span<const double> parameters,
                                           std::span<const double> eta) const;
  void add_entropy_gradient(std::span<const double> parameters, std::span<double> gradient) const;

  // log q(theta) at the theta given by `eta`.
  double log_density(std::span<const double> parameters, std::span<const double> eta) const;

  std::span<const double> location(std::span<const double> parameters) const {
    return parameters.first(dimension_);
  }
  // Standard deviation of each coordinate.
  std::vector<double> standard_deviations(std::span<const double> parameters) const;
  std::vector<double> diagonal(std::span<const double> parameters) const;
  // L for mean field and full rank, row-major D x D.
  std::vector<double> factor(std::span<const double> parameters) const;
  // B of a low-rank family, row-major.
  std::vector<double> columns(std::span<const double> parameters) const;

 private:
  static constexpr double kCorrelationScale = 0.1;

  std::vector<double> parameters_of_diagonal(std::span<const double> location,
                                             std::span<const double> diagonal) const;
  std::span<const double> log_diagonal(std::span<const double> parameters) const {
    return parameters.subspan(dimension_, dimension_);
  }
  // set_row() stores the entries of a row beside the diagonal. relative_row() returns them divided
  // by the diagonal entry.
  void set_row(std::vector<double>& parameters, std::size_t row,
               std::span<const double> entries) const;
  std::vector<double> relative_row(std::span<const double> parameters, std::size_t row) const;
  // B, with its rows divided by the diagonal.
  std::vector<double> relative_columns(std::span<const double> parameters) const;
  // Number of a row's entries beside the diagonal, where they start, and the entries of eta that
  // multiply them.
  std::size_t row_size(std::size_t row) const;
  std::size_t row_start(std::size_t row) const;
  std::span<const double> row_draws(std::span<const double> eta, std::size_t row) const;

  FamilyKind kind_;
  std::size_t dimension_;
  std::size_t rank_;
};

}  // namespace dpvi
