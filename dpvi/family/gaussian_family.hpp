#pragma once

#include <vector>

#include <dpvi/family/family.hpp>

namespace dpvi {

// The common part of the Gaussian families. L has a positive diagonal and, in each row, a run of
// further entries. Functions that a family may override hold for a square lower triangular L.
//
// The parameters are one flat vector: location m (D entries), log of L's diagonal (D), then the
// further entries row by row. Each of these is divided by its row's diagonal entry and by
// kCorrelationScale.
//
// So a step of one size changes correlations less than scales, because correlations are more
// numerous and less well determined. It also changes correlations only within what the scales
// allow; otherwise noise alone would widen the Gaussian without limit.
class GaussianFamily : public Family {
 public:
  std::vector<double> parameters_of_scales(std::span<const double> location,
                                           std::span<const double> scales) const override;
  void transform(std::span<const double> parameters, std::span<const double> eta,
                 std::span<double> theta) const final;
  std::vector<GradientTerm> gradient_terms(std::span<const double> parameters,
                                           std::span<const double> eta) const final;
  void add_entropy_gradient(std::span<const double> parameters,
                            std::span<double> gradient) const override;
  double log_density(std::span<const double> parameters,
                     std::span<const double> eta) const override;
  std::vector<double> standard_deviations(std::span<const double> parameters) const final;

 protected:
  static constexpr double kCorrelationScale = 0.1;

  // The further entries of a row of L: their first parameter, their number, and the entry of eta
  // that multiplies the first of them.
  struct FurtherEntries {
    std::size_t first;
    std::size_t count;
    std::size_t first_draw;
  };

  // There is a row for each coordinate, and their parameters follow each other.
  GaussianFamily(std::vector<FurtherEntries> rows, std::size_t draw_size);

  // Parameters of a Gaussian without further entries.
  std::vector<double> parameters_of_diagonal(std::span<const double> location,
                                             std::span<const double> diagonal) const;
  void set_row(std::vector<double>& parameters, std::size_t row,
               std::span<const double> entries) const;
  // The further entries of a row, divided by the diagonal entry.
  std::vector<double> relative_row(std::span<const double> parameters, std::size_t row) const;

  std::span<const double> log_diagonal(std::span<const double> parameters) const {
    return parameters.subspan(dimension(), dimension());
  }
  std::vector<double> diagonal(std::span<const double> parameters) const;

  // Log density at the location of the Gaussian with L's diagonal alone.
  double peak_of_diagonal(std::span<const double> parameters) const;

 private:
  std::vector<FurtherEntries> rows_;
};

}  // namespace dpvi
