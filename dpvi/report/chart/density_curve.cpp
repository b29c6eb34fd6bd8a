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

}  // namespace

std::vector<ChartPoint> density_curve(std::span<const double> draws) {
  std::vector<double> sorted;
  std::ranges::copy_if(draws, std::back_inserter(sorted),
                       [](double value) { return std::isfinite(value); });
  std::ranges::sort(sorted);
  if (sorted.size() < 2 || sorted.front() == sorted.back()) return {};
  const double width = bandwidth_of(sorted);
  double low = sorted.front() - kBandwidthsBeyond * width;
  const double high = sorted.back() + kBandwidthsBeyond * width;
  if (sorted.front() >= 0.0) low = std::max(low, 0.0);
  if (!(width > 0.0) || !std::isfinite(high - low)) return {};
  const double scale =
      1.0 / (width * static_cast<double>(sorted.size()) * std::sqrt(2.0 * std::numbers::pi));
  std::vector<ChartPoint> curve;
  for (int k = 0; k < kDensityPoints; ++k) {
    const double x = low + (high - low) * k / (kDensityPoints - 1);
    double sum = 0.0;
    for (const double draw : sorted) {
      const double distance = (x - draw) / width;
      if (std::abs(distance) < 6.0) sum += std::exp(-0.5 * distance * distance);
    }
    curve.push_back({x, scale * sum});
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
