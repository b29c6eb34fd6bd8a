#include <dpvi/fit/train/loop_record.hpp>

#include <utility>

#include <dpvi/fit/train/gaussian_in_theta.hpp>

namespace dpvi {
namespace {

// Product of the factor of the coordinates and a row-major matrix.
std::vector<double> in_theta(const Coordinates& coordinates, const std::vector<double>& rows) {
  const std::size_t size = rows.empty() ? 0 : coordinates.size();
  std::vector<double> result(rows.size(), 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      const double factor = coordinates.factor(i, k);
      if (factor == 0.0) continue;
      for (std::size_t j = 0; j < size; ++j) result[i * size + j] += factor * rows[k * size + j];
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
  if (plan_.langevin && left <= static_cast<std::int64_t>(plan_.langevin->kept_samples)) {
    samples_.push_back(std::move(location));
  }
}

LoopOutcome LoopRecord::outcome(std::span<const double> parameters, const std::vector<bool>& used) {
  if (iterates_ == 0) average_.add(parameters);
  const std::vector<double> scales = family_.standard_deviations(average_.mean());
  return {.parameters = gaussian_in_theta(family_, coordinates_, average_.mean()),
          .locations = locations_,
          .location_factor = in_theta(coordinates_, releases_.location_factor(scales, used)),
          .samples = std::move(samples_)};
}

}  // namespace dpvi
