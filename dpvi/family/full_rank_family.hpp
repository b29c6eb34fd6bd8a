#pragma once

#include <dpvi/family/gaussian_family.hpp>

namespace dpvi {

// Gaussians with any covariance: L is its Cholesky factor. The further entries are the
// D (D - 1) / 2 entries below the diagonal.
class FullRankFamily final : public GaussianFamily {
 public:
  static constexpr FactorPart kParts[] = {{"cholesky", PartShape::triangle}};
  static constexpr FamilyDescription kDescription{
      .name = "full-rank", .covariances = CovarianceClass::any, .parts = kParts};

  explicit FullRankFamily(std::size_t dimension);

  const FamilyDescription& description() const override { return kDescription; }
  std::vector<double> parameters(std::span<const double> location,
                                 const std::vector<std::vector<double>>& parts) const override;
  std::vector<std::vector<double>> parts(std::span<const double> parameters) const override;
  // Exact.
  std::vector<double> mapped(std::span<const double> parameters, std::span<const double> location,
                             const TriangularMatrix& map) const override;
};

}  // namespace dpvi
