#pragma once

#include <dpvi/family/gaussian_family.hpp>

namespace dpvi {

// Gaussians with independent coordinates: L is diagonal.
class MeanFieldFamily final : public GaussianFamily {
 public:
  static constexpr FactorPart kParts[] = {{"scale", PartShape::scales}};
  static constexpr FamilyDescription kDescription{
      .name = "mean-field", .covariances = CovarianceClass::diagonal, .parts = kParts};

  explicit MeanFieldFamily(std::size_t dimension);

  const FamilyDescription& description() const override { return kDescription; }
  std::vector<double> parameters(std::span<const double> location,
                                 const std::vector<std::vector<double>>& parts) const override;
  std::vector<std::vector<double>> parts(std::span<const double> parameters) const override;
  // The closest independent Gaussian in the divergence that variational inference minimises. It has
  // the conditional standard deviations.
  std::vector<double> mapped(std::span<const double> parameters, std::span<const double> location,
                             const TriangularMatrix& map) const override;
};

}  // namespace dpvi
