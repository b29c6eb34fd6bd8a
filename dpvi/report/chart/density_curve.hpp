#pragma once

#include <limits>
#include <span>
#include <vector>

#include <dpvi/report/chart/svg_chart.hpp>

namespace dpvi {

// Where a variable can lie, as far as known; it is widened to hold the draws.
struct Support {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// Density of draws on an even grid, by Gaussian kernels with the bandwidth of Silverman's rule, but
// at least a step of the grid. Kernels are reflected at the ends of the support; positive draws
// have an end at zero. The few most extreme draws may lie beyond the grid. Draws that are not
// finite are left out. Returns no points if fewer than two different draws are left.
std::vector<ChartPoint> density_curve(std::span<const double> draws, Support support = {});

// A curve given by points with increasing or decreasing x, interpolated at the x of `grid`. Places
// outside are left out.
std::vector<ChartPoint> interpolated(std::span<const double> x, std::span<const double> y,
                                     std::span<const ChartPoint> grid);

}  // namespace dpvi
