#include <dpvi/fit/train/loop_record.hpp>

#include <cmath>
#include <utility>

#include <dpvi/fit/train/gaussian_in_theta.hpp>

namespace dpvi {
namespace {

// Product of the factor of the coordinates and a row-major matrix.
std::vector<double> in_theta(const Coordinates& coordinates, const std::vector<double>& rows) {
  const std::size_t height = rows.empty() ? 0 : coordinates.size();
  const std::size_t width = rows.empty() ? 0 : rows.size() / height;
  std::vector<double> result(rows.size(), 0.0);
  for (std::size_t i = 0; i < height; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      const double factor = coordinates.factor(i, k);
      if (factor == 0.0) continue;
      for (std::size_t j = 0; j < width; ++j) result[i * width + j] += factor * rows[k * width + j];
    }
  }
  return result;
}

// Standard deviations in theta of independent coordinates.
std::vector<double> sds_in_theta(const Coordinates& coordinates, const std::vector<double>& sds) {
  std::vector<double> result(sds.size(), 0.0);
  const bool diagonal = coordinates.is_diagonal();
  for (std::size_t i = 0; i < sds.size(); ++i) {
    for (std::size_t k = diagonal ? i : 0; k <= i; ++k) {
      result[i] = std::hypot(result[i], coordinates.factor(i, k) * sds[k]);
    }
  }
  return result;
}

}  // namespace

LoopRecord::LoopRecord(const LoopPlan& plan, const Family& family, const Coordinates& coordinates)
    : plan_(plan),
      family_(family),
      coordinates_(coordinates),
      average_(plan.steps(), plan.averaged_share, family.parameter_count()),
      locations_(plan.steps(), plan.averaged_share, family.dimension()),
      path_(plan.steps(), family.dimension()),
      releases_(plan.steps(), plan.averaged_share, family.dimension()) {}

void LoopRecord::add_direction(std::span<const double> point, const UpdateDirection& direction,
                               const StepNoise& noise) {
  if (noise.variance <= 0.0 || plan_.langevin) return;
  releases_.add(point, family_.location(direction.values()), noise);
}

void LoopRecord::add_iterate(std::span<const double> parameters) {
  average_.add(parameters);
  std::vector<double> location(family_.dimension());
  coordinates_.to_theta(family_.location(parameters), location);
  locations_.add(location);
  const std::int64_t left = plan_.steps() - iterates_++;
  path_.add(iterates_, location);
  if (plan_.langevin && left <= static_cast<std::int64_t>(plan_.langevin->kept_samples)) {
    samples_.push_back(std::move(location));
  }
}

LoopOutcome LoopRecord::outcome(std::span<const double> parameters, const std::vector<bool>& used) {
  if (iterates_ == 0) average_.add(parameters);
  const std::vector<double> scales = family_.standard_deviations(average_.mean());
  const ReleaseRegression::Estimate estimate = releases_.estimate(scales, used);
  std::vector<double> factor = in_theta(coordinates_, estimate.factor);
  std::vector<double> sds;
  if (factor.empty()) sds = sds_in_theta(coordinates_, releases_.location_sds(scales, used));
  return {.parameters = gaussian_in_theta(family_, coordinates_, average_.mean()),
          .locations = locations_,
          .path = std::move(path_),
          .location_factor = std::move(factor),
          .location_sds = std::move(sds),
          .remaining_move = in_theta(coordinates_, estimate.move),
          .samples = std::move(samples_)};
}

}  // namespace dpvi
