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
constexpr std::size_t kMostParents = 300;
constexpr std::size_t kMostLevels = 12;

using Point = std::vector<double>;
using Members = std::vector<std::size_t>;

double step_at(double value) { return 1e-4 * (1.0 + std::abs(value)); }

// Gradients of a log density. A gradient where there is no density is NaN.
class Gradients {
 public:
  explicit Gradients(const LogDensity& density) : density_(density) {}

  Point at(const Point& point) const {
    Point result(point.size());
    if (!std::isfinite(density_(point, result))) result.assign(point.size(), std::nan(""));
    return result;
  }

  // Differences of gradients over a change of some coordinates. For one coordinate this is a column
  // of second derivatives. For coordinates that share no term of the density it has the second
  // derivatives of each.
  Point derivative(const Point& point, const Members& changed) const {
    Point above = point, below = point;
    for (const std::size_t i : changed) {
      above[i] += step_at(point[i]);
      below[i] -= step_at(point[i]);
    }
    Point result = at(above);
    const Point subtrahend = at(below);
    const bool one = changed.size() == 1;
    for (std::size_t i = 0; i < result.size(); ++i) {
      const std::size_t k = one ? changed[0] : i;
      result[i] = (result[i] - subtrahend[i]) / (2.0 * step_at(point[k]));
    }
    return result;
  }

 private:
  const LogDensity& density_;
};

// Modes of members given the other coordinates, and the scales that the curvature there implies.
// For normals these are means and standard deviations.
struct Places {
  std::vector<double> modes;
  std::vector<double> log_scales;  // NaN if no mode was found
};

// The search for one mode. The sign of the slope says on which side the mode is.
class ModeSearch {
 public:
  // Returns the next point to look at: Newton's, or the middle of the interval that is known to
  // hold the mode if Newton's lies outside or the log density is convex, as in the tails of many
  // distributions.
  double next(double point, double slope, double curvature) {
    (slope > 0.0 ? lower_ : upper_) = point;
    const bool bounded = std::isfinite(lower_) && std::isfinite(upper_);
    const double newton = point - slope / (curvature < 0.0 ? curvature : -std::abs(slope * slope));
    const bool inside = newton > lower_ && newton < upper_;
    if (bounded && !(inside && curvature < 0.0)) return 0.5 * (lower_ + upper_);
    return std::isfinite(newton) ? newton : point;
  }

 private:
  double lower_ = -INFINITY;
  double upper_ = INFINITY;
};

// Searches the modes of all members at once. They share no term of the density.
Places find_places(const Gradients& gradients, Point point, const Members& members) {
  constexpr int kMostSteps = 40;
  Places result{std::vector<double>(members.size()), std::vector<double>(members.size())};
  std::vector<ModeSearch> searches(members.size());
  for (int step = 0; step < kMostSteps; ++step) {
    const Point slope = gradients.at(point);
    const Point curvature = gradients.derivative(point, members);
    bool done = true;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::size_t j = members[i];
      const double scale = 1.0 / std::sqrt(-curvature[j]);
      const double distance = std::abs(slope[j]) * scale;  // to the mode, in scales
      result.modes[i] = point[j];
      result.log_scales[i] = distance < 1e-4 ? std::log(scale) : std::nan("");
      if (distance < 1e-9) continue;
      done = false;
      point[j] = searches[i].next(point[j], slope[j], curvature[j]);
    }
    if (done) break;
  }
  return result;
}

// Slopes are measured by moving a parent this far to both sides.
constexpr double kStride = 3.0;

// Slopes in programs are mostly simple numbers. Restores them from rounding errors.
double without_error(double slope) {
  constexpr double kParts = 64.0;
  const double simple = std::round(slope * kParts) / kParts;
  return std::abs(slope - simple) <= 1e-6 ? simple : slope;
}

// The log scale of an effect matters most where it is small, in the neck of a funnel. If it is not
// affine, the slope on that side counts. If it is not monotone, it has no slope.
double log_scale_slope(double left, double middle, double right) {
  const double below = (middle - left) / kStride, above = (right - middle) / kStride;
  if (std::abs(below - above) < 1e-5) return without_error(0.5 * (below + above));
  if (!(below * above > 0.0)) return 0.0;
  return left < right ? below : above;
}

// NaN if the location is not affine.
double location_slope(double left, double middle, double right, double scale) {
  const double slope = 0.5 * (right - left) / kStride;
  const double bend = std::abs(right + left - 2.0 * middle);
  return bend <= 1e-3 * scale + 1e-6 * std::abs(right - left) ? without_error(slope) : std::nan("");
}

// The dependence of members on their parents, as seen from one point.
class Dependence {
 public:
  Dependence(const Gradients& gradients, const Point& point, const Members& members,
             const Members& parents)
      : point_(point), middle_(find_places(gradients, point, members)) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (std::isfinite(middle_.modes[i])) point_[members[i]] = middle_.modes[i];
    }
    for (const std::size_t k : parents) {
      Point left = point_, right = point_;
      left[k] -= kStride;
      right[k] += kStride;
      left_.push_back(find_places(gradients, std::move(left), members));
      right_.push_back(find_places(gradients, std::move(right), members));
    }
  }

  const Point& point() const { return point_; }
  double mode(std::size_t member) const { return middle_.modes[member]; }
  double log_scale(std::size_t member) const { return middle_.log_scales[member]; }
  double slope_of_log_scale(std::size_t member, std::size_t parent) const {
    return log_scale_slope(left_[parent].log_scales[member], middle_.log_scales[member],
                           right_[parent].log_scales[member]);
  }
  double slope_of_location(std::size_t member, std::size_t parent) const {
    return location_slope(left_[parent].modes[member], middle_.modes[member],
                          right_[parent].modes[member], std::exp(log_scale(member)));
  }

 private:
  Point point_;
  Places middle_;
  std::vector<Places> left_, right_;  // for each parent
};

bool are_alike(const ConditionalNormals& a, const ConditionalNormals& b) {
  constexpr double kTolerance = 1e-6;
  const auto alike = [](const ConditionalNormals::Parent& one,
                        const ConditionalNormals::Parent& other) {
    return one.coordinate == other.coordinate && one.location_slope == other.location_slope &&
           std::abs(one.log_scale_slope - other.log_scale_slope) <= kTolerance;
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
  // The search looks at two points in general position.
  LevelSearch(const LogDensity& density, Point here, Point there, const std::vector<bool>& placed)
      : gradients_(density),
        here_(std::move(here)),
        there_(std::move(there)),
        neighbours_(here_.size()) {
    find_neighbours(placed);
    for (std::size_t j = here_.size(); j-- > 0;) {
      if (!neighbours_[j].empty()) candidates_.push_back(j);
    }
    // Effects have fewer neighbours than what they depend on, and are mostly declared later.
    std::stable_sort(candidates_.begin(), candidates_.end(), [&](std::size_t a, std::size_t b) {
      return neighbours_[a].size() < neighbours_[b].size();
    });
  }

  std::vector<ConditionalNormals> run() {
    constexpr int kMostTrials = 5;
    for (int trial = 0; trial < kMostTrials && !candidates_.empty(); ++trial) {
      const Members members = independent_candidates();
      std::vector<ConditionalNormals> level = structure_of(members, kExact);
      // Approximations wait for a later level: what is exact below may be all that disturbs them.
      if (!level.empty()) return joined(level);
      level = structure_of(members, kRough);
      if (level.size() == members.size()) return joined(level);
      std::erase_if(candidates_, [&](std::size_t j) {
        return std::ranges::find(members, j) != members.end() &&
               std::ranges::none_of(level, [&](const ConditionalNormals& normal) {
                 return normal.coordinates.front() == j;
               });
      });
    }
    return {};
  }

 private:
  // Neighbours share a term of the density: their mixed second derivative is not zero.
  void find_neighbours(const std::vector<bool>& placed) {
    const std::size_t size = here_.size();
    const Point slope = gradients_.at(here_);
    std::vector<double> diagonal(size, 0.0);
    std::vector<std::vector<std::pair<std::size_t, double>>> mixed(size);
    for (std::size_t k = 0; k < size; ++k) {
      if (placed[k]) continue;
      const Point column = gradients_.derivative(here_, {k});
      diagonal[k] = column[k];
      for (std::size_t j = 0; j < size; ++j) {
        const bool rounding = !(std::abs(column[j]) > 1e-10 * std::abs(slope[j]));
        if (j != k && !placed[j] && !rounding) mixed[j].emplace_back(k, column[j]);
      }
    }
    for (std::size_t j = 0; j < size; ++j) {
      for (const auto& [k, value] : mixed[j]) {
        const bool rounding =
            std::abs(value) <= 1e-6 * std::sqrt(std::abs(diagonal[j] * diagonal[k]));
        if (!rounding) neighbours_[j].push_back(k);
      }
    }
  }

  // Candidates of which no two are neighbours.
  Members independent_candidates() const {
    std::vector<bool> blocked(here_.size(), false);
    Members result;
    for (const std::size_t j : candidates_) {
      if (blocked[j]) continue;
      result.push_back(j);
      for (const std::size_t k : neighbours_[j]) blocked[k] = true;
    }
    return result;
  }

  // Largest errors of predicted log scales, and of locations in units of the scale.
  static constexpr double kExact = 1e-4;
  static constexpr double kRough = 0.5;

  // Leaves out members without a scale that depends on others, or with larger errors.
  std::vector<ConditionalNormals> structure_of(const Members& members, double error) const {
    Members parents;
    for (const std::size_t j : members) {
      parents.insert(parents.end(), neighbours_[j].begin(), neighbours_[j].end());
    }
    std::sort(parents.begin(), parents.end());
    parents.erase(std::unique(parents.begin(), parents.end()), parents.end());
    if (parents.size() > kMostParents) return {};
    const Dependence here(gradients_, here_, members, parents);
    const Dependence there(gradients_, there_, members, parents);
    std::vector<ConditionalNormals> level;
    for (std::size_t i = 0; i < members.size(); ++i) {
      ConditionalNormals normal = affine_parts(here, there, i, parents);
      normal.coordinates = {members[i]};
      if (varies(normal) && fits(normal, here, i, error) && fits(normal, there, i, error)) {
        level.push_back(normal);
      }
    }
    return level;
  }

  // The location slopes that are the same at both points, and what they leave. A location that is
  // not affine keeps its affine part: it differs by about one scale if the rest is a residual of
  // another effect.
  ConditionalNormals affine_parts(const Dependence& here, const Dependence& there,
                                  std::size_t member, const Members& parents) const {
    ConditionalNormals normal;
    double rest_here = here.mode(member), rest_there = there.mode(member);
    normal.log_scale = here.log_scale(member);
    for (std::size_t k = 0; k < parents.size(); ++k) {
      ConditionalNormals::Parent parent{.coordinate = parents[k]};
      const double slope = here.slope_of_location(member, k);
      const bool steady =
          std::abs(slope - there.slope_of_location(member, k)) <= 1e-4 * (1e-3 + std::abs(slope));
      parent.location_slope = steady ? slope : 0.0;
      parent.log_scale_slope = here.slope_of_log_scale(member, k);
      if (std::abs(parent.log_scale_slope) < 1e-6) parent.log_scale_slope = 0.0;
      if (parent.location_slope == 0.0 && parent.log_scale_slope == 0.0) continue;
      rest_here -= parent.location_slope * here.point()[parents[k]];
      rest_there -= parent.location_slope * there.point()[parents[k]];
      normal.log_scale -= parent.log_scale_slope * here.point()[parents[k]];
      normal.parents.push_back(parent);
    }
    const bool constant =
        std::abs(rest_here - rest_there) <= 1e-3 * std::exp(here.log_scale(member));
    normal.location = constant ? rest_here : 0.0;
    return normal;
  }

  // The scale depends on a parent.
  static bool varies(const ConditionalNormals& normal) {
    return std::ranges::any_of(normal.parents, [](const ConditionalNormals::Parent& parent) {
      return std::abs(parent.log_scale_slope) > 0.01;
    });
  }

  static bool fits(const ConditionalNormals& normal, const Dependence& seen, std::size_t member,
                   double error) {
    const double scale = std::exp(seen.log_scale(member));
    return std::abs(normal.log_scale_at(seen.point()) - seen.log_scale(member)) <= error &&
           std::abs(normal.location_at(seen.point()) - seen.mode(member)) <= 4.0 * error * scale;
  }

  Gradients gradients_;
  Point here_, there_;
  std::vector<Members> neighbours_;
  Members candidates_;
};

// A point in general position.
Point near(std::span<const double> centre, const std::vector<bool>& placed, SeededStream& stream) {
  Point result(centre.begin(), centre.end());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double step = 0.25 * standard_normal(stream);
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
