#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace dpvi {

// Quantities of the inverse and the determinant of I + B B', a matrix of D rows where B has few
// columns. They cost O(D rank^2) by Woodbury's identity.
class IdentityPlusColumns {
 public:
  // B is row-major.
  IdentityPlusColumns(std::span<const double> columns, std::size_t rank);
  ~IdentityPlusColumns();

  double half_log_determinant() const;
  // Gradient with respect to B, row-major.
  std::vector<double> half_log_determinant_gradient() const;
  // x' (I + B B')^-1 x.
  double square(std::span<const double> x) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace dpvi
