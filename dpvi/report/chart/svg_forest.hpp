#pragma once

#include <string>
#include <vector>

#include <dpvi/report/chart/svg_canvas.hpp>

namespace dpvi {

// A 90 % interval. The model's part of its width is `model_share` of it; NaN if unknown.
struct ForestRow {
  std::string name;
  double low = 0.0;
  double median = 0.0;
  double high = 0.0;
  double model_share = 1.0;
  std::string label = {};  // shown instead of the name
};

// Draws one interval below another on a common axis: a bar for the uncertainty of the model, inside
// a paler one that adds the uncertainty due to privacy. The widths stand beside them on an axis of
// their own. Rows that are not finite have a name only. Long names stand above their bars.
std::string svg_forest(const std::string& title, const std::vector<ForestRow>& rows, SvgUse use);

// Two numbers of each row on a logarithmic axis, joined by a line.
struct DumbbellRow {
  std::string name;
  double first = 0.0;
  double second = 0.0;
};
struct DumbbellNames {
  std::string title;
  std::string axis;
  std::string first;
  std::string second;
};
std::string svg_dumbbells(const DumbbellNames& names, const std::vector<DumbbellRow>& rows,
                          SvgUse use);

}  // namespace dpvi
