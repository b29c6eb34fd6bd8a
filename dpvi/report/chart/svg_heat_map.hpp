#pragma once

#include <string>
#include <vector>

#include <dpvi/report/chart/svg_canvas.hpp>

namespace dpvi {

// Correlations as coloured squares with their numbers. `correlations` has a row for each name.
// Squares that are not finite stay empty.
std::string svg_correlations(const std::string& title, const std::vector<std::string>& names,
                             const std::vector<std::vector<double>>& correlations, SvgUse use);

}  // namespace dpvi
