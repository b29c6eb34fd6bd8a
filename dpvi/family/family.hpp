#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <dpvi/base/gradient_term.hpp>
#include <dpvi/family/triangular_matrix.hpp>

namespace dpvi {

// The covariances that a family can represent.
enum class CovarianceClass { diagonal, restricted, any };

// A member of a family is theta = m + L eta with eta standard normal. L consists of parts side by
// side, each with one of these shapes. D is the dimension.
enum class PartShape {
  scales,    // D positive numbers, the entries of a diagonal matrix
  triangle,  // lower triangular D x D matrix with a positive diagonal, row-major
  columns    // matrix with D rows and one column for each shared factor, row-major
};

struct FactorPart {
  std::string_view name;  // its name in posterior.json
  PartShape shape;
};

// Facts that hold for every member of a family.
struct FamilyDescription {
  std::string_view name;
  CovarianceClass covariances;
  std::span<const FactorPart> parts;
  bool takes_rank = false;  // the number of shared factors may be chosen
};

// Variational family over unconstrained parameters. An object fixes the dimension. It is immutable
// and does not hold a member of the family: members are flat vectors of parameters, the location
// first. The training loop calls each virtual function once per step or draw, never per record.
class Family {
 public:
  virtual ~Family() = default;
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  std::size_t dimension() const { return dimension_; }
  std::size_t draw_size() const { return draw_size_; }          // length of eta
  std::size_t rank() const { return draw_size_ - dimension_; }  // number of shared factors
  std::size_t parameter_count() const { return parameter_count_; }
  std::span<const double> location(std::span<const double> parameters) const {
    return parameters.first(dimension_);
  }

  virtual const FamilyDescription& description() const = 0;

  // Parameters for a location and the coordinates' standard deviations, from which a fit can start.
  virtual std::vector<double> parameters_of_scales(std::span<const double> location,
                                                   std::span<const double> scales) const = 0;
  // Parameters for a location and the parts of L that the description lists.
  virtual std::vector<double> parameters(std::span<const double> location,
                                         const std::vector<std::vector<double>>& parts) const = 0;
  // The parts of L.
  virtual std::vector<std::vector<double>> parts(std::span<const double> parameters) const = 0;

  // theta = m + L eta.
  virtual void transform(std::span<const double> parameters, std::span<const double> eta,
                         std::span<double> theta) const = 0;

  // Terms that convert the gradient of log p with respect to theta into the gradient with respect
  // to the parameters, at the theta given by `eta` (Titsias & Lazaro-Gredilla 2014). The parameter
  // gradient follows entirely from the theta gradient, so noise added to the latter covers the
  // former (Jalko et al. 2022, "aligned gradients").
  virtual std::vector<GradientTerm> gradient_terms(std::span<const double> parameters,
                                                   std::span<const double> eta) const = 0;
  virtual void add_entropy_gradient(std::span<const double> parameters,
                                    std::span<double> gradient) const = 0;

  // log q(theta) at the theta given by `eta`.
  virtual double log_density(std::span<const double> parameters,
                             std::span<const double> eta) const = 0;

  // Standard deviation of each coordinate.
  virtual std::vector<double> standard_deviations(std::span<const double> parameters) const = 0;

  // Parameters with the given location and the covariance of map * theta. If the family has no
  // such member, it returns a close one.
  virtual std::vector<double> mapped(std::span<const double> parameters,
                                     std::span<const double> location,
                                     const TriangularMatrix& map) const = 0;

 protected:
  Family(std::size_t dimension, std::size_t draw_size, std::size_t parameter_count)
      : dimension_(dimension), draw_size_(draw_size), parameter_count_(parameter_count) {}

 private:
  std::size_t dimension_;
  std::size_t draw_size_;
  std::size_t parameter_count_;
};

// Families are immutable, so copies of results and plans share them.
using SharedFamily = std::shared_ptr<const Family>;

}  // namespace dpvi
