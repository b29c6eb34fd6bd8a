#include <dpvi/sample/centring_map.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace dpvi {

// The place of a coordinate for given parents.
struct CentringMap::Placement {
  double location = 0.0;      // m
  double prior_share = 0.0;   // w = 1 / (1 + p s^2)
  double centre = 0.0;        // c = w m + (1 - w) t
  double scale = 0.0;         // d = s sqrt(w)
  double log_scale = 0.0;     // log d
};

CentringMap::CentringMap(ConditionalLevels levels, std::vector<double> means,
                         std::vector<double> precisions, std::span<const double> typical)
    : levels_(std::move(levels)), means_(std::move(means)), precisions_(std::move(precisions)) {
  add_messages(typical);
}

CentringMap::Placement CentringMap::place(const ConditionalNormal& normal,
                                          std::span<const double> theta) const {
  constexpr double kMost = 300.0;  // exp(2 kMost) is finite
  const std::size_t j = normal.coordinate;
  const double log_prior_scale = std::clamp(normal.log_scale_at(theta), -kMost, kMost);
  Placement result;
  result.location = normal.location_at(theta);
  result.prior_share = 1.0 / (1.0 + precisions_[j] * std::exp(2.0 * log_prior_scale));
  result.centre =
      result.prior_share * result.location + (1.0 - result.prior_share) * means_[j];
  result.log_scale = log_prior_scale + 0.5 * std::log(result.prior_share);
  result.scale = std::exp(result.log_scale);
  return result;
}

void CentringMap::add_messages(std::span<const double> typical) {
  std::vector<bool> receives(means_.size(), false);
  for (const auto& level : levels_) {
    for (const ConditionalNormal& normal : level) receives[normal.coordinate] = true;
  }
  for (const auto& level : levels_) {
    for (const ConditionalNormal& normal : level) {
      const std::size_t j = normal.coordinate;
      if (precisions_[j] <= 0.0) continue;
      const double variance = std::exp(2.0 * normal.log_scale_at(typical)) + 1.0 / precisions_[j];
      const double rest = means_[j] - normal.location_at(typical);
      for (const ConditionalNormal::Parent& parent : normal.parents) {
        const std::size_t k = parent.coordinate;
        if (!receives[k] || parent.location_slope == 0.0) continue;
        const double slope = parent.location_slope;
        const double precision = slope * slope / variance;
        if (!std::isfinite(precision) || precision <= 0.0) continue;
        const double sum = precisions_[k] + precision;
        means_[k] += precision / sum * (typical[k] + rest / slope - means_[k]);
        precisions_[k] = sum;
      }
    }
  }
}

double CentringMap::to_theta(std::span<double> point) const {
  double log_jacobian = 0.0;
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    for (const ConditionalNormal& normal : *level) {
      const Placement placement = place(normal, point);
      double& value = point[normal.coordinate];
      value = placement.centre + placement.scale * value;
      log_jacobian += placement.log_scale;
    }
  }
  return log_jacobian;
}

void CentringMap::from_theta(std::span<double> point) const {
  for (const auto& level : levels_) {
    for (const ConditionalNormal& normal : level) {
      const Placement placement = place(normal, point);
      double& value = point[normal.coordinate];
      value = (value - placement.centre) / placement.scale;
    }
  }
}

void CentringMap::pull_back(std::span<const double> point, std::span<const double> theta,
                            std::span<double> gradient) const {
  // Children come first, so a gradient is complete when its coordinate's turn comes.
  for (const auto& level : levels_) {
    for (const ConditionalNormal& normal : level) {
      const std::size_t j = normal.coordinate;
      const Placement placement = place(normal, theta);
      const double w = placement.prior_share;
      const double by_location = w * gradient[j];
      const double by_log_scale =
          gradient[j] * w *
              (placement.scale * point[j] -
               2.0 * (1.0 - w) * (placement.location - means_[j])) + w;
      gradient[j] *= placement.scale;
      for (const ConditionalNormal::Parent& parent : normal.parents) {
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
