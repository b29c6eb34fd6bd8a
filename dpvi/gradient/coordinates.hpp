#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dpvi/tape/compile/gradient_rows.hpp>

namespace dpvi {

// Working coordinates z of a fit: theta = centre + factor * z, with a lower triangular factor. One
// step size, one clip bound and one noise scale then suit all entries of z, even if the posterior
// is badly scaled in theta. For a private fit the coordinates must be public.
class Coordinates {
 public:
  // Working coordinates equal to theta.
  static Coordinates identity(std::size_t size);

  // `factor` is row-major, size x size; entries above the diagonal are not read.
  Coordinates(std::vector<double> centre, std::vector<double> factor);

  std::size_t size() const { return centre_.size(); }
  const std::vector<double>& centre() const { return centre_; }
  double factor(std::size_t row, std::size_t column) const;
  bool is_diagonal() const;
  // True unless the factor is the identity.
  bool scales() const { return scales_; }

  // For each entry of z: true if it affects an entry of theta that is marked in `used_theta`.
  std::vector<bool> used(const std::vector<bool>& used_theta) const;

  void to_theta(std::span<const double> z, std::span<double> theta) const;
  void from_theta(std::span<const double> theta, std::span<double> z) const;

  // Converts a gradient with respect to theta into a gradient with respect to z, in place.
  void pull_back(std::span<double> gradient) const;

  // The same for 16 gradients in lanes: entry j of lane k is block[16 j + k]. T is float or double.
  // Guarantee: what a lane becomes depends on that lane alone, bit for bit.
  template <class T>
  void pull_back_lanes(std::span<T> block) const;

  // The same for gradients stored in rows. The factor must be diagonal. The rows of `products`,
  // which must be in increasing order, stay unchanged.
  template <class T>
  void pull_back_rows(const GradientRows& rows, std::span<T> block,
                      std::span<const std::int32_t> own,
                      std::span<const ProductRows> products = {}) const;

 private:
  // A nonzero entry of the factor. Each column keeps its entries by increasing row, so the first is
  // on the diagonal.
  struct Entry {
    std::size_t row;
    double value;
  };

  explicit Coordinates(std::size_t size) : centre_(size, 0.0), columns_(size) {}

  std::vector<double> centre_;
  std::vector<std::vector<Entry>> columns_;
  bool scales_ = false;  // false if the factor is the identity
};

}  // namespace dpvi
