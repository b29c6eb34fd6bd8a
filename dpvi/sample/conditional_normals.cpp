#include <dpvi/sample/conditional_normals.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/random/standard_normal.hpp>
#include <dpvi/sample/centring_map.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kMostDimensions = 3000;
constexpr std::size_t kMostLevels = 12;

using Point = std::vector<double>;

// Second derivatives of a log density at a point, from differences of gradients.
class Curvature {
 public:
  Curvature(const LogDensity& density, Point point)
      : density_(density), point_(std::move(point)), gradient_(gradient(point_)) {}

  const Point& point() const { return point_; }
  double slope(std::size_t i) const { return gradient_[i]; }

  // The column of a coordinate.
  Point column(std::size_t k) const {
    const double step = 1e-4 * (1.0 + std::abs(point_[k]));
    Point above = point_, below = point_;
    above[k] += step;
    below[k] -= step;
    Point result = gradient(above);
    const Point subtrahend = gradient(below);
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = (result[i] - subtrahend[i]) / (above[k] - below[k]);
    }
    return result;
  }

 private:
  Point gradient(const Point& at) const {
    Point result(at.size());
    // A gradient without a density means nothing.
    if (!std::isfinite(density_(at, result))) result.assign(at.size(), std::nan(""));
    return result;
  }

  const LogDensity& density_;
  Point point_;
  Point gradient_;
};

// A coordinate that shares a term of the log density with another, and their second derivative.
struct Neighbour {
  std::size_t coordinate;
  double curvature;
};

// Slopes in programs are mostly simple numbers. Restores them from rounding errors.
double without_error(double slope) {
  constexpr double kParts = 64.0;
  const double simple = std::round(slope * kParts) / kParts;
  return std::abs(slope - simple) <= 1e-6 ? simple : slope;
}

bool are_alike(const ConditionalNormals& a, const ConditionalNormals& b) {
  constexpr double kTolerance = 1e-6;
  const auto alike = [](const ConditionalNormals::Parent& one,
                        const ConditionalNormals::Parent& other) {
    return one.coordinate == other.coordinate && one.location_slope == other.location_slope &&
           one.log_scale_slope == other.log_scale_slope;
  };
  return std::equal(a.parents.begin(), a.parents.end(), b.parents.begin(), b.parents.end(),
                    alike) &&
         std::abs(a.log_scale - b.log_scale) <= kTolerance &&
         std::abs(a.location - b.location) <= kTolerance * std::max(1.0, std::abs(a.location));
}

// Puts neighbours with the same distribution together.
std::vector<ConditionalNormals> joined(std::vector<ConditionalNormals> level) {
  std::sort(level.begin(), level.end(), [](const auto& a, const auto& b) {
    return a.coordinates.front() < b.coordinates.front();
  });
  std::vector<ConditionalNormals> result;
  for (ConditionalNormals& normal : level) {
    if (!result.empty() && are_alike(result.back(), normal)) {
      result.back().coordinates.push_back(normal.coordinates.front());
    } else {
      result.push_back(std::move(normal));
    }
  }
  return result;
}

// Finds one level of conditional normals among the coordinates that have no level yet.
class LevelSearch {
 public:
  LevelSearch(const LogDensity& density, Point one, Point other, const std::vector<bool>& placed)
      : density_(density),
        here_(density, std::move(one)),
        there_(density, std::move(other)),
        placed_(placed),
        diagonal_(here_.point().size(), 0.0),
        neighbours_(here_.point().size()) {
    std::vector<double> elsewhere(diagonal_.size(), 0.0);
    for (std::size_t k = 0; k < diagonal_.size(); ++k) {
      if (placed_[k]) continue;
      add_column(k, here_.column(k));
      elsewhere[k] = there_.column(k)[k];
    }
    drop_rounding_errors();
    for (std::size_t j = 0; j < diagonal_.size(); ++j) {
      if (has_variable_scale(j, elsewhere[j])) candidates_.push_back(j);
    }
    // Effects have fewer neighbours than what they depend on.
    std::stable_sort(candidates_.begin(), candidates_.end(), [&](std::size_t a, std::size_t b) {
      return neighbours_[a].size() < neighbours_[b].size();
    });
  }

  std::vector<ConditionalNormals> run() {
    constexpr int kMostTrials = 5;
    for (int trial = 0; trial < kMostTrials; ++trial) {
      std::vector<ConditionalNormals> level = structure_of(independent_candidates());
      const std::size_t count = level.size();
      std::erase_if(level, [&](const ConditionalNormals& normal) {
        if (predicts_gradient(normal)) return false;
        std::erase(candidates_, normal.coordinates.front());
        return true;
      });
      if (level.size() == count) return joined(level);
    }
    return {};
  }

 private:
  void add_column(std::size_t k, const Point& column) {
    diagonal_[k] = column[k];
    for (std::size_t j = 0; j < column.size(); ++j) {
      if (j == k || placed_[j]) continue;
      const bool rounding = std::abs(column[j]) <= 1e-10 * std::abs(here_.slope(j));
      if (!rounding) neighbours_[j].push_back({k, column[j]});
    }
  }

  void drop_rounding_errors() {
    for (std::size_t j = 0; j < neighbours_.size(); ++j) {
      std::erase_if(neighbours_[j], [&](const Neighbour& neighbour) {
        const double scale = std::sqrt(std::abs(diagonal_[j] * diagonal_[neighbour.coordinate]));
        return std::abs(neighbour.curvature) <= 1e-6 * scale;
      });
    }
  }

  bool has_variable_scale(std::size_t j, double curvature_elsewhere) const {
    if (neighbours_[j].empty() || !(diagonal_[j] < 0.0) || !(curvature_elsewhere < 0.0)) {
      return false;
    }
    const double change = std::log(diagonal_[j] / curvature_elsewhere);
    return std::isfinite(change) && std::abs(change) > 1e-3;
  }

  // Candidates of which no two are neighbours.
  std::vector<std::size_t> independent_candidates() const {
    std::vector<bool> blocked(diagonal_.size(), false);
    std::vector<std::size_t> result;
    for (const std::size_t j : candidates_) {
      if (blocked[j]) continue;
      result.push_back(j);
      for (const Neighbour& neighbour : neighbours_[j]) blocked[neighbour.coordinate] = true;
    }
    return result;
  }

  // With location m and scale s, the gradient in theta_j is g = -(theta_j - m) / s^2. Its
  // derivative in a parent is m' / s^2 + 2 (theta_j - m) (log s)' / s^2. The two slopes m' and
  // (log s)' follow from this derivative at two values of theta_j.
  std::vector<ConditionalNormals> structure_of(const std::vector<std::size_t>& members) const {
    std::vector<ConditionalNormals> level;
    Point shifted = here_.point();
    std::vector<bool> is_parent(diagonal_.size(), false);
    for (const std::size_t j : members) {
      shifted[j] += 1.0 / std::sqrt(-diagonal_[j]);
      for (const Neighbour& neighbour : neighbours_[j]) is_parent[neighbour.coordinate] = true;
    }
    const Curvature at_shifted(density_, shifted);
    std::vector<Point> columns(diagonal_.size());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (is_parent[k]) columns[k] = at_shifted.column(k);
    }
    for (const std::size_t j : members) level.push_back(normal_of(j, columns));
    return level;
  }

  ConditionalNormals normal_of(std::size_t j, const std::vector<Point>& shifted_columns) const {
    const double variance = -1.0 / diagonal_[j];
    const double residual = -here_.slope(j) * variance;
    ConditionalNormals normal;
    normal.coordinates = {j};
    normal.location = here_.point()[j] - residual;
    normal.log_scale = 0.5 * std::log(variance);
    for (const auto& [k, curvature] : neighbours_[j]) {
      ConditionalNormals::Parent parent{.coordinate = k};
      parent.log_scale_slope =
          without_error(0.5 * std::sqrt(variance) * (shifted_columns[k][j] - curvature));
      parent.location_slope =
          without_error(variance * curvature - 2.0 * residual * parent.log_scale_slope);
      normal.location -= parent.location_slope * here_.point()[k];
      normal.log_scale -= parent.log_scale_slope * here_.point()[k];
      normal.parents.push_back(parent);
    }
    return normal;
  }

  bool predicts_gradient(const ConditionalNormals& normal) const {
    constexpr double kTolerance = 1e-3;
    const Point& at = there_.point();
    const double scale = std::exp(normal.log_scale_at(at));
    const std::size_t j = normal.coordinates.front();
    const double expected = (normal.location_at(at) - at[j]) / (scale * scale);
    const double size = std::abs(expected) + 1.0 / scale;
    return std::abs(there_.slope(j) - expected) <= kTolerance * size;
  }

  const LogDensity& density_;
  Curvature here_, there_;
  const std::vector<bool>& placed_;
  std::vector<double> diagonal_;  // second derivatives
  std::vector<std::vector<Neighbour>> neighbours_;
  std::vector<std::size_t> candidates_;
};

// A point in general position.
Point near(std::span<const double> centre, const std::vector<bool>& placed, SeededStream& stream) {
  Point result(centre.begin(), centre.end());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double step = 0.5 * standard_normal(stream);
    result[i] = placed[i] ? step : result[i] + step;
  }
  return result;
}

}  // namespace

double ConditionalNormals::location_at(std::span<const double> theta) const {
  double sum = location;
  for (const Parent& parent : parents) sum += parent.location_slope * theta[parent.coordinate];
  return sum;
}

double ConditionalNormals::log_scale_at(std::span<const double> theta) const {
  double sum = log_scale;
  for (const Parent& parent : parents) sum += parent.log_scale_slope * theta[parent.coordinate];
  return sum;
}

ConditionalLevels find_conditional_levels(const LogDensity& prior, std::span<const double> centre) {
  ConditionalLevels levels;
  if (centre.size() > kMostDimensions) return levels;
  const std::vector<double> nothing(centre.size(), 0.0);
  std::vector<bool> placed(centre.size(), false);
  SeededStream stream = SeededGenerator(1).stream({.label = StreamLabel::posterior_chain});
  while (levels.size() < kMostLevels) {
    const CentringMap non_centred(levels, nothing, nothing, centre);
    const LogDensity density = non_centred.pulled_back(prior);
    const Point one = near(centre, placed, stream);
    const Point other = near(centre, placed, stream);
    std::vector<ConditionalNormals> level = LevelSearch(density, one, other, placed).run();
    if (level.empty()) break;
    for (const ConditionalNormals& normals : level) {
      for (const std::size_t j : normals.coordinates) placed[j] = true;
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

}  // namespace dpvi
