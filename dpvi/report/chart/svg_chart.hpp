#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dpvi/report/chart/axis.hpp>
#include <dpvi/report/chart/svg_canvas.hpp>

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
  bool marks = true;
  bool filled = false;  // the area under the curve is shaded
};

// The area between two curves.
struct ChartBand {
  struct Edge {
    double x = 0.0;
    double low = 0.0;
    double high = 0.0;
  };
  std::string name;
  std::vector<Edge> edges;
  std::string classes = {};  // of assets/chart.css; empty: a pale colour of its own
};

// A horizontal reference line.
struct ChartLevel {
  std::string name;
  double y = 0.0;
};

// A shaded part of the x axis.
struct ChartWindow {
  std::string name;
  double from = 0.0;
  double to = 0.0;
};

// A vertical line between two values, with a label at each end.
struct ChartSpan {
  double x = 0.0;
  double low = 0.0;
  double high = 0.0;
  std::string low_label;
  std::string high_label;
};

struct Chart {
  std::string title;
  std::string x_label;
  std::string y_label;
  Axis::Kind x_kind = Axis::Kind::logarithmic;
  Axis::Kind y_kind = Axis::Kind::linear;
  std::vector<ChartCurve> curves = {};
  std::vector<ChartBand> bands = {};
  std::vector<ChartLevel> levels = {};
  std::vector<ChartWindow> windows = {};
  std::vector<ChartSpan> spans = {};
  // If given, points outside are marked at the edge, with their value.
  std::optional<std::pair<double, double>> y_range = std::nullopt;
  bool y_ticks = true;           // false for densities, whose height says nothing
  std::string description = {};  // what the picture shows, in words, for screen readers
  bool with_scale = false;       // store the place of its axes, so that a script can draw into it
};

// Pictures in SVG, with title and description for screen readers. Colours keep their contrast on
// white and on black, and the marks of curves differ in shape, for print without colour. A chart
// leaves out points that are not finite or have no place on their axis.
std::string svg_chart(const Chart& chart, SvgUse use);

// The same in the proportions of a small card, which stays readable on a phone.
std::string svg_card(const Chart& chart, SvgUse use);

// Several charts side by side, two in a row, in one picture.
std::string svg_panels(const std::string& title, const std::vector<Chart>& charts, SvgUse use);

}  // namespace dpvi
