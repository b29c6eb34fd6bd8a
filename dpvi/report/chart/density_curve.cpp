#include <dpvi/report/chart/density_curve.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dpvi {
namespace {

constexpr int kDensityPoints = 72;
constexpr double kBandwidthsBeyond = 2.5;

double bandwidth_of(const std::vector<double>& sorted) {
  const auto count = static_cast<double>(sorted.size());
  double mean = 0.0, squares = 0.0;
  for (const double value : sorted) mean += value / count;
  for (const double value : sorted) squares += (value - mean) * (value - mean);
  const double sd = std::sqrt(squares / (count - 1.0));
  const double quartiles = sorted[sorted.size() * 3 / 4] - sorted[sorted.size() / 4];
  const double spread = quartiles > 0.0 ? std::min(sd, quartiles / 1.34) : sd;
  return 0.9 * spread * std::pow(count, -0.2);
}

// The draws between two quantiles, with a margin: a few far draws do not flatten the rest.
Support drawn_range(const std::vector<double>& sorted, double width) {
  constexpr double kBeyond = 0.0025;  // share of the draws on each side
  constexpr double kFar = 1.5;        // times the central range
  const auto cut = static_cast<std::size_t>(kBeyond * static_cast<double>(sorted.size()));
  const double low = sorted[cut], high = sorted[sorted.size() - 1 - cut];
  const double margin = kBandwidthsBeyond * width, far = kFar * (high - low);
  return {std::max(sorted.front(), low - far) - margin,
          std::min(sorted.back(), high + far) + margin};
}

// Sums of kernels at x. Mass that a kernel has beyond an end of the support is reflected.
double kernel_sum(const std::vector<double>& draws, double x, double width,
                  const Support& support) {
  double sum = 0.0;
  const auto add = [&](double distance) {
    const double scaled = distance / width;
    if (std::abs(scaled) < 6.0) sum += std::exp(-0.5 * scaled * scaled);
  };
  for (const double draw : draws) {
    add(x - draw);
    if (std::isfinite(support.low)) add(x - (2.0 * support.low - draw));
    if (std::isfinite(support.high)) add(x - (2.0 * support.high - draw));
  }
  return sum;
}

}  // namespace

std::vector<ChartPoint> density_curve(std::span<const double> draws, Support support) {
  std::vector<double> sorted;
  std::ranges::copy_if(draws, std::back_inserter(sorted),
                       [](double value) { return std::isfinite(value); });
  std::ranges::sort(sorted);
  if (sorted.size() < 2 || sorted.front() == sorted.back()) return {};
  if (sorted.front() >= 0.0) support.low = std::max(support.low, 0.0);
  support = {std::min(support.low, sorted.front()), std::max(support.high, sorted.back())};
  double width = bandwidth_of(sorted);
  if (!(width > 0.0)) return {};
  auto [low, high] = drawn_range(sorted, width);
  low = std::max(low, support.low);
  high = std::min(high, support.high);
  if (!std::isfinite(high - low)) return {};
  width = std::max(width, (high - low) / (kDensityPoints - 1));
  const double scale =
      1.0 / (width * static_cast<double>(sorted.size()) * std::sqrt(2.0 * std::numbers::pi));
  std::vector<ChartPoint> curve;
  for (int k = 0; k < kDensityPoints; ++k) {
    const double x = low + (high - low) * k / (kDensityPoints - 1);
    curve.push_back({x, scale * kernel_sum(sorted, x, width, support)});
  }
  return curve;
}

std::vector<ChartPoint> interpolated(std::span<const double> x, std::span<const double> y,
                                     std::span<const ChartPoint> grid) {
  std::vector<ChartPoint> curve;
  for (const ChartPoint& place : grid) {
    for (std::size_t k = 1; k < std::min(x.size(), y.size()); ++k) {
      const auto [left, right] = std::minmax(x[k - 1], x[k]);
      if (!(place.x >= left && place.x <= right) || left == right) continue;
      const double share = (place.x - x[k - 1]) / (x[k] - x[k - 1]);
      curve.push_back({place.x, y[k - 1] + share * (y[k] - y[k - 1])});
      break;
    }
  }
  return curve;
}

}  // namespace dpvi
