#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <dpvi/sample/log_density.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// A Gaussian N(mean | numbers, precision^-1) that stands for the likelihood of the records.
struct SiteComponent {
  double weight = 1.0;            // share of the component; the shares need not add up to 1
  std::vector<double> mean;       // one entry for each number of the site
  std::vector<double> precision;  // symmetric, row by row; or the diagonal alone
};

// What the releases say about the numbers that records touch: a mixture of Gaussians. Several
// components express that the precision is uncertain.
struct Site {
  std::vector<std::size_t> used;  // coordinates of theta, increasing
  std::vector<SiteComponent> components;
  // Numbers that follow the coordinates: computed from theta. Leading numbers of the map are the
  // coordinates above.
  std::shared_ptr<const UniformMap> map = nullptr;

  // One number for each entry of a component's mean.
  std::vector<double> numbers_at(std::span<const double> theta) const;
  // Adds the gradient in theta, given that in the numbers.
  void pull_back(std::span<const double> theta, std::span<const double> by_number,
                 std::span<double> gradient) const;
};

// The log density of prior(theta) * site(theta), up to the prior's constant. A precision that is
// not positive definite counts as its nearest positive semidefinite matrix: such a site says
// nothing about some directions.
class SiteTarget {
 public:
  SiteTarget(LogDensity prior, std::size_t dimension, Site site);
  ~SiteTarget();
  SiteTarget(SiteTarget&&) noexcept;
  SiteTarget& operator=(SiteTarget&&) noexcept;

  std::size_t dimension() const { return dimension_; }
  const Site& site() const { return site_; }
  const LogDensity& prior() const { return prior_; }
  double value_and_gradient(std::span<const double> theta, std::span<double> gradient) const;

  // For each coordinate of theta: mean and precision of the site if all other coordinates were at
  // its mean, averaged over the components. The precision is 0 for unused coordinates.
  const std::vector<double>& means() const { return means_; }
  const std::vector<double>& precisions() const { return precisions_; }

 private:
  class Component;

  LogDensity prior_;
  std::size_t dimension_;
  Site site_;
  std::vector<Component> components_;
  std::vector<double> means_;
  std::vector<double> precisions_;
};

// The prior of a program as a log density. The function must outlive it.
LogDensity log_density_of(const UniformFunction& prior);

}  // namespace dpvi
