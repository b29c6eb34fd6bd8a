#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/experiment/point_result.hpp>
#include <dpvi/report/chart/svg_chart.hpp>

namespace dpvi::cli {

// One comparison of a figure, and the results that it is drawn from.
struct FigurePanel {
  Chart chart;
  std::vector<PointResult> points;
};

// Panels of a figure: every private series against its expected scores, DPVI against DP-SGLD, and
// the same scores under the paper's two accountants. All panels have the same range of scores,
// which single outliers do not stretch.
std::vector<FigurePanel> figure_panels(const std::string& figure,
                                       std::span<const PointResult> points);

}  // namespace dpvi::cli
