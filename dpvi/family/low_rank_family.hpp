#pragma once

#include <dpvi/family/gaussian_family.hpp>

namespace dpvi {

// Gaussians with a few shared factors in addition to independent coordinates: L is a diagonal
// matrix followed by `rank` columns B. The further entries are those of B.
class LowRankFamily final : public GaussianFamily {
 public:
  static constexpr FactorPart kParts[] = {{"scale", PartShape::scales},
                                          {"factor", PartShape::columns}};
  static constexpr FamilyDescription kDescription{.name = "low-rank",
                                                  .covariances = CovarianceClass::restricted,
                                                  .parts = kParts,
                                                  .takes_rank = true};

  LowRankFamily(std::size_t dimension, std::size_t rank);

  const FamilyDescription& description() const override { return kDescription; }
  std::vector<double> parameters_of_scales(std::span<const double> location,
                                           std::span<const double> scales) const override;
  std::vector<double> parameters(std::span<const double> location,
                                 const std::vector<std::vector<double>>& parts) const override;
  std::vector<std::vector<double>> parts(std::span<const double> parameters) const override;
  void add_entropy_gradient(std::span<const double> parameters,
                            std::span<double> gradient) const override;
  double log_density(std::span<const double> parameters,
                     std::span<const double> eta) const override;
  // Exact if the map is diagonal. Otherwise the variances and the leading factors of the remaining
  // covariance are kept.
  std::vector<double> mapped(std::span<const double> parameters, std::span<const double> location,
                             const TriangularMatrix& map) const override;

 private:
  // B, with its rows divided by the diagonal.
  std::vector<double> relative_columns(std::span<const double> parameters) const;
  std::vector<double> columns(std::span<const double> parameters) const;
};

}  // namespace dpvi
