#pragma once

#include <span>
#include <vector>

#include <dpvi/report/chart/svg_chart.hpp>

namespace dpvi {

// Density of draws on an even grid, by Gaussian kernels with the bandwidth of Silverman's rule.
// Draws that are not finite are left out. Returns no points if fewer than two different draws are
// left. A density of positive draws ends at zero.
std::vector<ChartPoint> density_curve(std::span<const double> draws);

// A curve given by points with increasing or decreasing x, interpolated at the x of `grid`. Places
// outside are left out.
std::vector<ChartPoint> interpolated(std::span<const double> x, std::span<const double> y,
                                     std::span<const ChartPoint> grid);

}  // namespace dpvi
