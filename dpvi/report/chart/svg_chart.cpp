#include <dpvi/report/svg_chart.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <dpvi/report/markup.hpp>

namespace dpvi {
namespace {

constexpr double kWidth = 760, kHeight = 460;
constexpr double kLeft = 70, kRight = 740, kTop = 40, kBottom = 350;

// Okabe & Ito's palette, safe for colour-blind readers, without its two pale colours.
constexpr std::array<const char*, 6> kColours = {"#0072b2", "#d55e00", "#009e73",
                                                 "#cc79a7", "#e69f00", "#56b4e9"};

struct Range {
  double low = 0.0;
  double high = 1.0;

  double share(double value) const { return (value - low) / (high - low); }
};

bool is_drawable(const ChartPoint& point) {
  return std::isfinite(point.x) && point.x > 0.0 && std::isfinite(point.y);
}

double bar_of(const ChartPoint& point) { return std::isfinite(point.error) ? point.error : 0.0; }

// Logarithms of the drawn x values, with a margin.
Range x_range(const Chart& chart) {
  double low = INFINITY, high = -INFINITY;
  for (const ChartCurve& curve : chart.curves) {
    for (const ChartPoint& point : curve.points) {
      if (!is_drawable(point)) continue;
      low = std::min(low, std::log10(point.x));
      high = std::max(high, std::log10(point.x));
    }
  }
  if (!(low <= high)) return {-1.0, 1.0};
  const double margin = 0.04 * (high - low) + 0.05;
  return {low - margin, high + margin};
}

Range y_range(const Chart& chart) {
  double low = INFINITY, high = -INFINITY;
  const auto take = [&](double y) {
    low = std::min(low, y);
    high = std::max(high, y);
  };
  for (const ChartCurve& curve : chart.curves) {
    for (const ChartPoint& point : curve.points) {
      if (!is_drawable(point)) continue;
      take(point.y - bar_of(point));
      take(point.y + bar_of(point));
    }
  }
  for (const ChartLevel& level : chart.levels) {
    if (std::isfinite(level.y)) take(level.y);
  }
  if (!(low <= high)) return {0.0, 1.0};
  const double margin = 0.06 * (high - low) + 1e-3;
  return {low - margin, high + margin};
}

// A round step of which about six fit into the range.
double tick_step(const Range& range) {
  const double rough = (range.high - range.low) / 6.0;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10.0 * power;
}

std::string head(const std::string& title, double height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" font-family=\"sans-serif\" "
      "font-size=\"13\">\n<title>{2}</title>\n"
      "<style>\n.page {{ fill: #ffffff }}\n.ink {{ fill: #1a1a1a }}\n.axis {{ stroke: #1a1a1a }}\n"
      ".grid {{ stroke: #d8d8d8 }}\n@media (prefers-color-scheme: dark) {{\n"
      ".page {{ fill: #16181c }}\n.ink {{ fill: #ececec }}\n.axis {{ stroke: #ececec }}\n"
      ".grid {{ stroke: #3c4046 }}\n}}\n</style>\n"
      "<rect class=\"page\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n",
      kWidth, height, escaped_markup(title));
}

std::string text_at(double x, double y, const std::string& anchor, const std::string& text) {
  return fmt::format("<text class=\"ink\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                     x, y, anchor, escaped_markup(text));
}

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1,
                     x2, y2, style);
}

// Marks differ in shape, so that they can be distinguished without colour.
std::string mark(double x, double y, std::size_t kind, const std::string& colour) {
  switch (kind % 4) {
    case 0:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.6\" fill=\"{}\"/>\n", x, y,
                         colour);
    case 1:
      return fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"6.4\" height=\"6.4\" fill=\"{}\"/>\n", x - 3.2,
          y - 3.2, colour);
    case 2:
      return fmt::format("<path d=\"M{:.1f} {:.1f} l4 7 h-8 z\" fill=\"{}\"/>\n", x, y - 4.5,
                         colour);
    default:
      return fmt::format(
          "<path d=\"M{:.1f} {:.1f} l4.5 4.5 l-4.5 4.5 l-4.5 -4.5 z\" fill=\"{}\"/>\n", x, y - 4.5,
          colour);
  }
}

class ChartWriter {
 public:
  explicit ChartWriter(const Chart& chart)
      : chart_(chart), x_(x_range(chart)), y_(y_range(chart)) {}

  std::string text() {
    const std::size_t entries = chart_.curves.size() + chart_.levels.size();
    out_ = head(chart_.title, std::max(kHeight, legend_y(entries + 1)));
    out_ += text_at(0.5 * (kLeft + kRight), 24, "middle", chart_.title);
    add_axes();
    for (std::size_t i = 0; i < chart_.levels.size(); ++i) add_level(i);
    std::size_t kind = 0;
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) {
      if (i > 0 && !chart_.curves[i].as_previous) ++kind;
      add_curve(i, kind);
    }
    return out_ + "</svg>\n";
  }

 private:
  double at_x(double x) const { return kLeft + x_.share(std::log10(x)) * (kRight - kLeft); }
  double at_y(double y) const { return kBottom - y_.share(y) * (kBottom - kTop); }
  static double legend_x(std::size_t entry) { return entry % 2 == 0 ? kLeft : 400; }
  static double legend_y(std::size_t entry) {
    const std::size_t line = entry / 2;
    return kBottom + 58 + 19 * static_cast<double>(line);
  }

  void add_axes() {
    const double step = tick_step(y_);
    for (double y = std::ceil(y_.low / step) * step; y <= y_.high; y += step) {
      out_ += line(kLeft, at_y(y), kRight, at_y(y), "class=\"grid\"");
      out_ += text_at(kLeft - 8, at_y(y) + 4, "end",
                      fmt::format("{:.{}f}", y,
                                  step < 0.01  ? 3
                                  : step < 1.0 ? 2
                                               : 1));
    }
    for (int power = -6; power <= 6; ++power) {
      for (const int factor : {1, 2, 5}) {
        const double x = factor * std::pow(10.0, power);
        const double share = x_.share(std::log10(x));
        if (share < 0.0 || share > 1.0) continue;
        out_ += line(at_x(x), kTop, at_x(x), kBottom, "class=\"grid\"");
        out_ += text_at(at_x(x), kBottom + 18, "middle", fmt::format("{:g}", x));
      }
    }
    out_ += line(kLeft, kBottom, kRight, kBottom, "class=\"axis\"");
    out_ += line(kLeft, kTop, kLeft, kBottom, "class=\"axis\"");
    out_ += text_at(0.5 * (kLeft + kRight), kBottom + 36, "middle", chart_.x_label);
    out_ += fmt::format(
        "<text class=\"ink\" transform=\"translate(18 {:.1f}) rotate(-90)\" "
        "text-anchor=\"middle\">{}</text>\n",
        0.5 * (kTop + kBottom), escaped_markup(chart_.y_label));
  }

  std::string stroke(std::size_t kind, bool dashed) const {
    return fmt::format("stroke=\"{}\" stroke-width=\"1.8\" fill=\"none\"{}",
                       kColours[kind % kColours.size()], dashed ? " stroke-dasharray=\"6 4\"" : "");
  }

  void add_curve(std::size_t entry, std::size_t kind) {
    const ChartCurve& curve = chart_.curves[entry];
    const std::string colour = kColours[kind % kColours.size()];
    std::string path, marks;
    for (const ChartPoint& point : curve.points) {
      if (!is_drawable(point)) continue;
      const double x = at_x(point.x), y = at_y(point.y);
      path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", x, y);
      if (bar_of(point) > 0.0) {
        marks += line(x, at_y(point.y - point.error), x, at_y(point.y + point.error),
                      stroke(kind, false));
      }
      marks += mark(x, y, kind, colour);
    }
    out_ += fmt::format("<polyline points=\"{}\" {}/>\n", path, stroke(kind, curve.dashed)) + marks;
    const double x = legend_x(entry), y = legend_y(entry);
    out_ += line(x, y - 4, x + 28, y - 4, stroke(kind, curve.dashed));
    out_ += mark(x + 14, y - 4, kind, colour) + text_at(x + 36, y, "start", curve.name);
  }

  void add_level(std::size_t index) {
    const ChartLevel& level = chart_.levels[index];
    if (!std::isfinite(level.y)) return;
    const std::string style =
        fmt::format("class=\"axis\" stroke-dasharray=\"{} 3\"", 2 + 5 * index);
    out_ += line(kLeft, at_y(level.y), kRight, at_y(level.y), style);
    const std::size_t entry = chart_.curves.size() + index;
    const double x = legend_x(entry), y = legend_y(entry);
    out_ += line(x, y - 4, x + 28, y - 4, style) + text_at(x + 36, y, "start", level.name);
  }

  const Chart& chart_;
  Range x_, y_;
  std::string out_;
};

}  // namespace

std::string svg_chart(const Chart& chart) { return ChartWriter(chart).text(); }

std::string svg_map(const std::string& title, const std::vector<MapPanel>& panels) {
  constexpr double kSide = 340, kGap = 24, kReach = 5.0;
  const double height = 60 + (kSide + 40) * std::ceil(static_cast<double>(panels.size()) / 2.0);
  std::string out = head(title, height) + text_at(0.5 * kWidth, 24, "middle", title);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::size_t row = i / 2, column = i % 2;
    const double left = kGap + static_cast<double>(column) * (kSide + kGap);
    const double top = 66 + static_cast<double>(row) * (kSide + 40);
    const double unit = kSide / (2.0 * kReach);
    const auto at_x = [&](double x) {
      return left + (std::clamp(x, -kReach, kReach) + kReach) * unit;
    };
    const auto at_y = [&](double y) {
      return top + (kReach - std::clamp(y, -kReach, kReach)) * unit;
    };
    out += text_at(left + 0.5 * kSide, top - 8, "middle", panels[i].title);
    out += fmt::format(
        "<rect class=\"grid\" x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.0f}\" height=\"{2:.0f}\" "
        "fill=\"none\"/>\n<clipPath id=\"panel{3}\"><rect x=\"{0:.1f}\" y=\"{1:.1f}\" "
        "width=\"{2:.0f}\" height=\"{2:.0f}\"/></clipPath>\n<g clip-path=\"url(#panel{3})\">\n",
        left, top, kSide, i + 1);
    for (const MapPoint& point : panels[i].points) {
      out += fmt::format(
          "<circle class=\"ink\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.1\" opacity=\"0.4\"/>\n",
          at_x(point.x), at_y(point.y));
    }
    for (std::size_t k = 0; k < panels[i].circles.size(); ++k) {
      const MapCircle& circle = panels[i].circles[k];
      if (!std::isfinite(circle.radius + circle.centre.x + circle.centre.y)) continue;
      out += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"none\" stroke=\"{}\" "
          "stroke-width=\"2.5\" opacity=\"{:.2f}\"/>\n",
          left + (circle.centre.x + kReach) * unit, top + (kReach - circle.centre.y) * unit,
          circle.radius * unit, kColours[k % kColours.size()],
          std::clamp(circle.weight, 0.15, 1.0));
    }
    out += "</g>\n";
  }
  return out + "</svg>\n";
}

}  // namespace dpvi
