#include <dpvi/api/prior_curves.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <dpvi/fit/prepare/prior_sample.hpp>
#include <dpvi/report/chart/density_curve.hpp>
#include <dpvi/report/column_names.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kMostCurves = 50;  // more are not drawn
constexpr int kGridPoints = 61;
constexpr double kReach = 4.0;  // of the grid, in standard deviations

// True if output `output` changes with parameter `entry` and with no other.
bool depends_on_one(const RecordModel& model, const std::vector<double>& theta, std::size_t entry,
                    std::size_t output) {
  std::vector<double> others(theta), alone(theta);
  for (double& value : others) value += 0.3;
  others[entry] = theta[entry];
  alone[entry] += 0.3;
  const double here = model.output_values(theta)[output];
  return model.output_values(others)[output] == here && model.output_values(alone)[output] != here;
}

// Integral by the trapezoidal rule.
double area_under(const std::vector<double>& x, const std::vector<double>& y) {
  double area = 0.0;
  for (std::size_t k = 1; k < x.size(); ++k) {
    area += 0.5 * std::abs(x[k] - x[k - 1]) * (y[k] + y[k - 1]);
  }
  return area;
}

// Density of the output on a grid of the parameter, or nullopt if it cannot be computed.
std::optional<PriorCurve> curve_of(const RecordModel& model, std::vector<double> theta,
                                   std::size_t entry, std::size_t output,
                                   const PriorSpread& spread) {
  PriorCurve curve{output, {}, {}};
  std::vector<double> log_density;
  for (int k = 0; k < kGridPoints; ++k) {
    const double place = kReach * (2.0 * k / (kGridPoints - 1) - 1.0);
    theta[entry] = spread.centre[entry] + place * spread.sd[entry];
    curve.value.push_back(model.output_values(theta)[output]);
    log_density.push_back(model.prior().value(theta));
  }
  const double highest = *std::ranges::max_element(log_density);
  if (!std::isfinite(highest)) return std::nullopt;
  for (int k = 0; k < kGridPoints; ++k) {
    // Slope of the output: the density changes by its inverse.
    const auto before = static_cast<std::size_t>(std::max(k - 1, 0));
    const auto after = static_cast<std::size_t>(std::min(k + 1, kGridPoints - 1));
    const double step = 2.0 * kReach * spread.sd[entry] / (kGridPoints - 1);
    const double slope = std::abs(curve.value[after] - curve.value[before]) /
                         (step * static_cast<double>(after - before));
    curve.density.push_back(std::exp(log_density[static_cast<std::size_t>(k)] - highest) / slope);
  }
  const double area = area_under(curve.value, curve.density);
  if (!(area > 0.0 && std::isfinite(area))) return std::nullopt;
  for (double& density : curve.density) density /= area;
  return curve;
}

// Densities of draws from the prior, for outputs that have no curve yet. A parameter without a
// proper prior can spoil the prior of every other, so there are none beside one.
void add_sampled_curves(std::vector<PriorCurve>& curves, const RecordModel& model,
                        std::size_t outputs) {
  constexpr std::size_t kMostParameters = 80, kEntries = 24000, kMostDraws = 1000;
  constexpr std::size_t kMostOutputs = 24;  // a report draws the first ones
  const std::size_t size = model.dimension(), shown = std::min(kMostOutputs, outputs);
  std::vector<bool> drawn(outputs, false);
  for (const PriorCurve& curve : curves) drawn[curve.output] = true;
  const auto end = drawn.begin() + static_cast<std::ptrdiff_t>(shown);
  if (size == 0 || size > kMostParameters || std::find(drawn.begin(), end, false) == end) return;
  SeededStream stream = SeededGenerator(1).stream({.label = StreamLabel::initial_value, .step = 6});
  const auto sample =
      sample_prior(model.prior(), size, std::min(kMostDraws, kEntries / size), stream);
  if (!sample || std::ranges::find(sample->proper, false) != sample->proper.end()) return;
  std::vector<std::vector<double>> values(shown);
  for (const std::vector<double>& theta : sample->theta) {
    const std::vector<double> found = model.output_values(theta);
    for (std::size_t i = 0; i < shown; ++i) values[i].push_back(found[i]);
  }
  for (std::size_t i = 0; i < shown; ++i) {
    if (drawn[i]) continue;
    PriorCurve curve{i, {}, {}};
    for (const ChartPoint& point : density_curve(values[i])) {
      curve.value.push_back(point.x);
      curve.density.push_back(point.y);
    }
    if (!curve.value.empty()) curves.push_back(std::move(curve));
  }
}

}  // namespace

std::vector<PriorCurve> prior_curves(const RecordModel& model, std::span<const double> location,
                                     const PriorSpread& spread) {
  std::vector<PriorCurve> curves;
  const std::vector<std::string>& parameters = model.unconstrained_names();
  const std::vector<std::string> outputs = column_names(model.outputs());
  const std::vector<double> theta(location.begin(), location.end());
  for (std::size_t i = 0; i < parameters.size() && curves.size() < kMostCurves; ++i) {
    const auto found = std::ranges::find(outputs, parameters[i]);
    if (found == outputs.end() || !(spread.sd[i] > 0.0 && std::isfinite(spread.sd[i]))) continue;
    const auto output = static_cast<std::size_t>(found - outputs.begin());
    if (!depends_on_one(model, theta, i, output)) continue;
    if (auto curve = curve_of(model, theta, i, output, spread)) curves.push_back(std::move(*curve));
  }
  add_sampled_curves(curves, model, outputs.size());
  return curves;
}

}  // namespace dpvi
