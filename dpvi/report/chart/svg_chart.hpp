#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dpvi {

struct ChartPoint {
  double x = 0.0;
  double y = 0.0;
  double error = 0.0;  // half the length of the error bar; drawn only if above zero
};

struct ChartCurve {
  std::string name;
  std::vector<ChartPoint> points;
  bool dashed = false;
  bool as_previous = false;  // has the colour of the previous curve, of which it is another view
};

// A horizontal reference line.
struct ChartLevel {
  std::string name;
  double y = 0.0;
};

// Curves over a logarithmic x axis.
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
  double weight = 1.0;  // opacity, at most 1
};

// Points of the plane with circles over them. Panels are drawn side by side.
struct MapPanel {
  std::string title;
  std::vector<MapPoint> points;
  std::vector<MapCircle> circles;
};

// Pictures in SVG, with a title for screen readers. Colours keep their contrast on white and on
// black, and the marks of curves differ in shape, for print without colour. A chart leaves out
// points that are not finite or have no logarithm.
std::string svg_chart(const Chart& chart);
std::string svg_map(const std::string& title, const std::vector<MapPanel>& panels);

}  // namespace dpvi
