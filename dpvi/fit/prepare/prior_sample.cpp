#include <dpvi/fit/prepare/prior_sample.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <dpvi/fit/prepare/slice_sampler_internal.hpp>
#include <dpvi/random/standard_normal.hpp>
#include <dpvi/sample/centring_map.hpp>
#include <dpvi/sample/site_target.hpp>

namespace dpvi {
namespace {

// No proper prior of a scale reaches this far: 30 is a factor of 1e13.
constexpr double kFarLogScale = 30.0;
constexpr std::size_t kSweepsBetween = 4;

CentringMap uncentred(const UniformFunction& prior, std::size_t size) {
  const std::vector<double> zeros(size, 0.0);
  return {find_conditional_levels(log_density_of(prior), zeros), zeros, zeros, zeros};
}

// Effects given their parents have the same standard normal density everywhere. The density of the
// parents alone is therefore that of parents and effects at zero.
std::vector<std::size_t> fix_effects(SliceSampler& sampler, const CentringMap& map) {
  std::vector<std::size_t> effects;
  for (const auto& level : map.levels()) {
    for (const ConditionalNormals& normals : level) {
      effects.insert(effects.end(), normals.coordinates.begin(), normals.coordinates.end());
      for (const ConditionalNormals::Parent& parent : normals.parents) {
        const double slope = std::abs(parent.log_scale_slope);
        if (slope > 0.0) sampler.set_far_out(parent.coordinate, kFarLogScale / slope);
      }
    }
  }
  for (const std::size_t i : effects) sampler.fix(i);
  return effects;
}

// Interquartile range of a Gaussian with standard deviation 1.
constexpr double kGaussianRange = 1.3489795;

std::vector<double> sorted_entries(const std::vector<std::vector<double>>& theta, std::size_t i) {
  std::vector<double> entries;
  for (const std::vector<double>& draw : theta) entries.push_back(draw[i]);
  std::ranges::sort(entries);
  return entries;
}

double entry_at(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::lround(place))];
}

// The prior along one parameter, on a grid around a typical value that is dense there and reaches
// far into the tails.
class PriorAlong {
 public:
  PriorAlong(const UniformFunction& prior, std::size_t parameter, double centre, double spread)
      : prior_(prior), parameter_(parameter) {
    for (int k = 0; k <= kSteps; ++k) {
      grid_.push_back(centre + spread * std::sinh(kReach * (2.0 * k / kSteps - 1.0)));
    }
  }

  // Interquartile range; nullopt if the prior of the parameter changes with the others.
  std::optional<double> range(std::vector<double> here, std::vector<double> elsewhere) const {
    std::vector<double> values;
    for (int k = 0; k <= kSteps; ++k) values.push_back(value(here, k));
    const double highest = *std::ranges::max_element(values);
    const int top = static_cast<int>(std::ranges::max_element(values) - values.begin());
    const double shift = value(elsewhere, top) - highest;
    for (int k = 0; k <= kSteps; k += kSteps / 10) {
      const double other = value(elsewhere, k) - shift;
      if (!std::isfinite(other) && !std::isfinite(values[static_cast<std::size_t>(k)])) continue;
      if (!(std::abs(other - values[static_cast<std::size_t>(k)]) <=
            1e-6 * (1.0 + std::abs(other)))) {
        return std::nullopt;
      }
    }
    std::vector<double> below = {0.0};  // integral up to each point of the grid
    for (std::size_t k = 1; k < values.size(); ++k) {
      below.push_back(below.back() +
                      0.5 * (grid_[k] - grid_[k - 1]) *
                          (std::exp(values[k - 1] - highest) + std::exp(values[k] - highest)));
    }
    return place_of(below, 0.75) - place_of(below, 0.25);
  }

 private:
  static constexpr double kReach = 8.0;  // sinh(8) is 1490 spreads
  static constexpr int kSteps = 400;

  double value(std::vector<double>& theta, int k) const {
    theta[parameter_] = grid_[static_cast<std::size_t>(k)];
    const double found = prior_.value(theta);
    return std::isnan(found) ? -std::numeric_limits<double>::infinity() : found;
  }

  double place_of(const std::vector<double>& below, double share) const {
    const double wanted = share * below.back();
    const auto after = std::ranges::upper_bound(below, wanted);
    const auto k = static_cast<std::size_t>(after - below.begin());
    const double part = (wanted - below[k - 1]) / (below[k] - below[k - 1]);
    return grid_[k - 1] + part * (grid_[k] - grid_[k - 1]);
  }

  const UniformFunction& prior_;
  std::size_t parameter_;
  std::vector<double> grid_;
};

}  // namespace

std::vector<double> PriorSample::medians() const {
  std::vector<double> medians;
  for (std::size_t i = 0; i < proper.size(); ++i) {
    medians.push_back(entry_at(sorted_entries(theta, i), 0.5));
  }
  return medians;
}

std::vector<double> PriorSample::spread(const UniformFunction& prior) const {
  std::vector<double> spreads(proper.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < spreads.size(); ++i) {
    if (!proper[i]) continue;
    const std::vector<double> entries = sorted_entries(theta, i);
    const double range = entry_at(entries, 0.75) - entry_at(entries, 0.25);
    const PriorAlong along(prior, i, entry_at(entries, 0.5), range / kGaussianRange);
    spreads[i] = along.range(theta.front(), theta.back()).value_or(range) / kGaussianRange;
  }
  return spreads;
}

std::optional<PriorSample> sample_prior(const UniformFunction& prior, std::size_t size,
                                        std::size_t count, SeededStream& stream) {
  const CentringMap map = uncentred(prior, size);
  std::vector<double> point;
  SliceSampler sampler(
      [&](std::span<const double> working) {
        point.assign(working.begin(), working.end());
        const double jacobian = map.to_theta(point);
        return prior.value(point) + jacobian;
      },
      stream, size);
  const std::vector<std::size_t> effects = fix_effects(sampler, map);
  if (!sampler.draw()) return std::nullopt;
  PriorSample sample{.theta = {}, .proper = {}, .levels = map.levels()};
  for (std::size_t i = 0; i < size; ++i) sample.proper.push_back(sampler.decays(i));
  while (sample.theta.size() < count) {
    sampler.sweep(kSweepsBetween);
    std::vector<double> theta = sampler.theta();
    for (const std::size_t i : effects) theta[i] = standard_normal(stream);
    map.to_theta(theta);
    sample.theta.push_back(std::move(theta));
  }
  return sample;
}

}  // namespace dpvi
