#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dpvi/tape/gradient_rows.hpp>

namespace dpvi {

// Coordinates z in which a fit works: theta = centre + factor * z, the factor lower triangular.
// Steps of one size, one clip bound and one noise suit all entries of z where a posterior is badly
// scaled in theta. For a private fit they must be public.
class Coordinates {
 public:
  // theta itself.
  static Coordinates identity(std::size_t size);

  // `factor` is row-major, size x size; what stands above its diagonal is not read.
  Coordinates(std::vector<double> centre, std::vector<double> factor);

  std::size_t size() const { return centre_.size(); }
  const std::vector<double>& centre() const { return centre_; }
  double factor(std::size_t row, std::size_t column) const;
  bool is_diagonal() const;
  // Whether the factor is anything but the identity.
  bool scales() const { return scales_; }

  // By entry of z: whether it moves an entry of theta that is `used`.
  std::vector<bool> used(const std::vector<bool>& used_theta) const;

  void to_theta(std::span<const double> z, std::span<double> theta) const;
  void from_theta(std::span<const double> theta, std::span<double> z) const;

  // From the gradient by theta to the gradient by z, in place.
  void pull_back(std::span<double> gradient) const;

  // The same for 16 gradients in lanes: entry j of lane k is block[16 j + k]. T is float or double.
  // Guarantee: what a lane becomes depends on that lane alone, bit for bit.
  template <class T>
  void pull_back_lanes(std::span<T> block) const;

  // The same where the gradients are in rows. The factor must be diagonal. Rows of products, which
  // increase, stay as they are.
  template <class T>
  void pull_back_rows(const GradientRows& rows, std::span<T> block,
                      std::span<const std::int32_t> own,
                      std::span<const ProductRows> products = {}) const;

 private:
  // An entry of the factor that is not zero. They are kept by column, rows increasing: the first of
  // a column is on the diagonal.
  struct Entry {
    std::size_t row;
    double value;
  };

  explicit Coordinates(std::size_t size) : centre_(size, 0.0), columns_(size) {}

  std::vector<double> centre_;
  std::vector<std::vector<Entry>> columns_;
  bool scales_ = false;  // false: the factor is the identity
};

}  // namespace dpvi
