#pragma once

#include <string>
#include <vector>

#include <dpvi/report/chart/svg_canvas.hpp>

namespace dpvi {

struct MapCircle {
  SvgPoint centre;
  double radius = 0.0;
  double weight = 1.0;  // opacity, at most 1
};

// Points of the plane with circles over them.
struct MapPanel {
  std::string title;
  std::string subtitle;
  std::vector<SvgPoint> points;
  std::vector<MapCircle> circles;
};

// Draws panels side by side, two in a row.
std::string svg_map(const std::string& title, const std::vector<MapPanel>& panels, SvgUse use);

}  // namespace dpvi
