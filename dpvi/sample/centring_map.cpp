#include <dpvi/sample/centring_map.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace dpvi {
namespace {

// The prior of conditional normals for given parents.
struct PriorPlace {
  double location = 0.0;   // m
  double log_scale = 0.0;  // log s
  double scale = 0.0;      // s
  double variance = 0.0;

  PriorPlace(const ConditionalNormals& normals, std::span<const double> theta) {
    constexpr double kMost = 300.0;  // exp(2 kMost) is finite
    location = normals.location_at(theta);
    log_scale = std::clamp(normals.log_scale_at(theta), -kMost, kMost);
    scale = std::exp(log_scale);
    variance = scale * scale;
  }
};

// The place of one of them, with t and p: c = w m + (1 - w) t and d = s sqrt(w), where
// w = 1 / (1 + p s^2) is the weight of the prior.
struct Place {
  double weight;
  double centre;
  double scale;

  Place(const PriorPlace& prior, double mean, double precision)
      : weight(1.0 / (1.0 + precision * prior.variance)),
        centre(mean + weight * (prior.location - mean)),
        scale(prior.scale * std::sqrt(weight)) {}
};

}  // namespace

CentringMap::CentringMap(ConditionalLevels levels, std::vector<double> means,
                         std::vector<double> precisions, std::span<const double> typical)
    : levels_(std::move(levels)), means_(std::move(means)), precisions_(std::move(precisions)) {
  add_messages(typical);
}

void CentringMap::add_messages(std::span<const double> typical) {
  // Only parents that are conditional normals themselves use what they are told.
  std::vector<bool> listens(means_.size(), false);
  for (const auto& level : levels_) {
    for (const ConditionalNormals& normals : level) {
      for (const std::size_t j : normals.coordinates) listens[j] = true;
    }
  }
  for (const auto& level : levels_) {
    for (const ConditionalNormals& normals : level) {
      const PriorPlace prior(normals, typical);
      for (const std::size_t j : normals.coordinates) {
        if (precisions_[j] <= 0.0) continue;
        for (const ConditionalNormals::Parent& parent : normals.parents) {
          if (!listens[parent.coordinate] || parent.location_slope == 0.0) continue;
          const double others = prior.location - parent.location_slope * typical[parent.coordinate];
          add_message(parent, means_[j] - others, prior.variance + 1.0 / precisions_[j]);
        }
      }
    }
  }
}

// slope * parent is known to be near `value` with this variance.
void CentringMap::add_message(const ConditionalNormals::Parent& parent, double value,
                              double variance) {
  const double slope = parent.location_slope;
  const double precision = slope * slope / variance;
  if (!std::isfinite(precision) || precision <= 0.0) return;
  double& sum = precisions_[parent.coordinate];
  double& mean = means_[parent.coordinate];
  sum += precision;
  mean += precision / sum * (value / slope - mean);
}

double CentringMap::to_theta(std::span<double> point) const {
  double log_jacobian = 0.0;
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    for (const ConditionalNormals& normals : *level) {
      const PriorPlace prior(normals, point);
      for (const std::size_t j : normals.coordinates) {
        const Place place(prior, means_[j], precisions_[j]);
        point[j] = place.centre + place.scale * point[j];
        log_jacobian += prior.log_scale + 0.5 * std::log(place.weight);
      }
    }
  }
  return log_jacobian;
}

void CentringMap::from_theta(std::span<double> point) const {
  for (const auto& level : levels_) {
    for (const ConditionalNormals& normals : level) {
      const PriorPlace prior(normals, point);
      for (const std::size_t j : normals.coordinates) {
        const Place place(prior, means_[j], precisions_[j]);
        point[j] = (point[j] - place.centre) / place.scale;
      }
    }
  }
}

void CentringMap::pull_back(std::span<const double> point, std::span<const double> theta,
                            std::span<double> gradient) const {
  // Children come first, so a gradient is complete when its coordinate's turn comes.
  for (const auto& level : levels_) {
    for (const ConditionalNormals& normals : level) {
      const PriorPlace prior(normals, theta);
      double by_location = 0.0, by_log_scale = 0.0;
      for (const std::size_t j : normals.coordinates) {
        const Place place(prior, means_[j], precisions_[j]);
        const double w = place.weight;
        const double by_weight = -2.0 * (1.0 - w) * (prior.location - means_[j]);
        by_location += w * gradient[j];
        by_log_scale += w * (1.0 + gradient[j] * (place.scale * point[j] + by_weight));
        gradient[j] *= place.scale;
      }
      for (const ConditionalNormals::Parent& parent : normals.parents) {
        gradient[parent.coordinate] +=
            parent.location_slope * by_location + parent.log_scale_slope * by_log_scale;
      }
    }
  }
}

LogDensity CentringMap::pulled_back(const LogDensity& density) const {
  return [this, &density](std::span<const double> point, std::span<double> gradient) {
    std::vector<double> theta(point.begin(), point.end());
    const double log_jacobian = to_theta(theta);
    const double value = density(theta, gradient);
    pull_back(point, theta, gradient);
    return value + log_jacobian;
  };
}

}  // namespace dpvi
