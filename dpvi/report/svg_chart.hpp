#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dpvi {

struct ChartPoint {
  double x = 0.0;
  double y = 0.0;
  double error = 0.0;  // half the length of a bar; not drawn unless above zero
};

struct ChartCurve {
  std::string name;
  std::vector<ChartPoint> points;
  bool dashed = false;
  bool as_previous = false;  // in the colour of the curve before it, of which it is another view
};

// A height that is the same everywhere.
struct ChartLevel {
  std::string name;
  double y = 0.0;
};

// Curves over a logarithmic axis.
struct Chart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<ChartCurve> curves;
  std::vector<ChartLevel> levels;
};

struct MapPoint {
  double x = 0.0;
  double y = 0.0;
};

struct MapCircle {
  MapPoint centre;
  double radius = 0.0;
  double weight = 1.0;  // how strongly it is drawn, at most 1
};

// Points of the plane with circles over them; one panel beside the other.
struct MapPanel {
  std::string title;
  std::vector<MapPoint> points;
  std::vector<MapCircle> circles;
};

// Pictures in SVG, with a title and a description for those who cannot see them. Colours keep
// their contrast on white and on black paper, and every curve has its own marks, for print without
// colour. Points that are no numbers, or have no logarithm, are left out.
std::string svg_chart(const Chart& chart);
std::string svg_map(const std::string& title, const std::vector<MapPanel>& panels);

}  // namespace dpvi
