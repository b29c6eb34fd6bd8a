#pragma once

#include <string>
#include <vector>

#include <dpvi/report/chart/svg_forest.hpp>

namespace dpvi {

struct Caterpillar {
  std::string picture;
  std::size_t rows_per_bar = 1;  // above one, a bar has the typical ends of neighbouring rows
  std::size_t cut = 0;           // bars that end outside the frame
};

// Draws many intervals beside each other, sorted by their medians. A few that are far wider than
// the others do not stretch the axis. Rows that are not finite are left out.
Caterpillar svg_caterpillar(const std::string& title, std::vector<ForestRow> rows, SvgUse use);

}  // namespace dpvi
