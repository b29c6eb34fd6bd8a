#include <dpvi/report/chart/svg_chart.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/report/markup.hpp>

namespace dpvi {
namespace {

constexpr double kLegendLine = 18;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The smallest range that holds all values taken.
struct Extent {
  double low = kInfinity;
  double high = -kInfinity;

  void take(double value, Axis::Kind kind) {
    if (!std::isfinite(value) || (kind == Axis::Kind::logarithmic && value <= 0.0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

double bar_of(const ChartPoint& point) { return std::isfinite(point.error) ? point.error : 0.0; }

Axis x_axis(const Chart& chart) {
  Extent extent;
  const auto take = [&](double x) { extent.take(x, chart.x_kind); };
  for (const ChartCurve& curve : chart.curves) {
    for (const ChartPoint& point : curve.points) take(point.x);
  }
  for (const ChartBand& band : chart.bands) {
    for (const ChartBand::Edge& edge : band.edges) take(edge.x);
  }
  for (const ChartWindow& window : chart.windows) {
    take(window.from);
    take(window.to);
  }
  const bool with_marks = std::ranges::any_of(chart.curves, &ChartCurve::marks);
  return Axis(chart.x_kind, extent.low, extent.high).with_margin(with_marks ? 0.05 : 0.0);
}

Axis y_axis(const Chart& chart) {
  if (chart.y_range) return {chart.y_kind, chart.y_range->first, chart.y_range->second};
  Extent extent;
  const auto take = [&](double y) { extent.take(y, chart.y_kind); };
  for (const ChartCurve& curve : chart.curves) {
    for (const ChartPoint& point : curve.points) {
      take(point.y - bar_of(point));
      take(point.y + bar_of(point));
    }
    if (curve.filled) take(0.0);
  }
  for (const ChartBand& band : chart.bands) {
    for (const ChartBand::Edge& edge : band.edges) {
      take(edge.low);
      take(edge.high);
    }
  }
  for (const ChartLevel& level : chart.levels) take(level.y);
  return Axis(chart.y_kind, extent.low, extent.high).with_margin(chart.y_ticks ? 0.06 : 0.0);
}

// Names in the legend, in the order of drawing. A chart with one entry needs no legend.
std::vector<std::string> legend_names(const Chart& chart) {
  std::vector<std::string> names;
  for (const ChartWindow& window : chart.windows) names.push_back(window.name);
  for (const ChartBand& band : chart.bands) names.push_back(band.name);
  for (const ChartLevel& level : chart.levels) names.push_back(level.name);
  for (const ChartCurve& curve : chart.curves) names.push_back(curve.name);
  if (names.size() < 2) names.clear();
  return names;
}

// Places of the entries, one after another in lines of this width.
std::vector<SvgPoint> legend_places(const std::vector<std::string>& names, double width) {
  constexpr double kSample = 34, kGap = 18, kLetter = 6.2;
  std::vector<SvgPoint> places;
  SvgPoint next{0.0, 14.0};
  for (const std::string& name : names) {
    const double needed = kSample + kLetter * static_cast<double>(letter_count(name));
    if (next.x > 0.0 && next.x + needed > width) next = {0.0, next.y + kLegendLine};
    places.push_back(next);
    next.x += needed + kGap;
  }
  return places;
}

constexpr double kLeftMargin = 10, kRightMargin = 14;

double legend_width(double box_width) { return box_width - kLeftMargin - kRightMargin; }

// Height of everything but the plot itself.
double height_around(const Chart& chart, double width) {
  const std::vector<SvgPoint> places = legend_places(legend_names(chart), legend_width(width));
  const double legend = places.empty() ? 0 : places.back().y + 8;
  return 30 + 22 + (chart.x_label.empty() ? 0 : 18) + legend;
}

// Draws one chart into a box.
class ChartDrawing {
 public:
  ChartDrawing(SvgCanvas& canvas, const SvgBox& box, const Chart& chart)
      : canvas_(canvas), box_(box), chart_(chart), x_(x_axis(chart)), y_(y_axis(chart)) {
    const double left = chart.y_ticks ? 58 : (chart.y_label.empty() ? kLeftMargin : 24);
    plot_ = {box.left + left, box.top + 30, box.width - left - kRightMargin,
             box.height - height_around(chart, box.width)};
    x_ = x_.on_pixels(plot_.left, plot_.right());
    y_ = y_.on_pixels(plot_.bottom(), plot_.top);
    const double legend_top = plot_.bottom() + 22 + (chart.x_label.empty() ? 0 : 18);
    for (const SvgPoint& place : legend_places(legend_names(chart), legend_width(box.width))) {
      entries_.push_back({box.left + kLeftMargin + place.x, legend_top + place.y});
    }
  }

  void draw() {
    canvas_.title({box_.left + 4, box_.top + 18}, chart_.title, box_.width - 8);
    for (const ChartWindow& window : chart_.windows) add_window(window);
    add_axes();
    for (std::size_t i = 0; i < chart_.bands.size(); ++i) add_band(chart_.bands[i], i);
    for (const ChartLevel& level : chart_.levels) add_level(level);
    // A band without classes has the first colour.
    std::size_t kind = std::ranges::any_of(chart_.bands, &std::string::empty, &ChartBand::classes);
    for (const ChartCurve& curve : chart_.curves) add_curve(curve, kind++);
    for (const ChartSpan& span : chart_.spans) add_span(span);
    if (chart_.with_scale) canvas_.store("scale", scale_text());
  }

 private:
  bool drawable(double x, double y) const {
    return std::isfinite(x) && std::isfinite(y) && x_.holds(x) &&
           (chart_.y_kind == Axis::Kind::linear || y > 0.0);
  }
  double at_y(double y) const { return y_.at(std::clamp(y, y_.low(), y_.high())); }

  void add_axes() {
    if (chart_.y_ticks) {
      const int count = std::max(3, static_cast<int>(plot_.height / 45));
      for (const double tick : y_.ticks(count)) {
        canvas_.line({plot_.left, y_.at(tick)}, {plot_.right(), y_.at(tick)}, "grid");
        canvas_.text({plot_.left - 6, y_.at(tick) + 4}, "end", y_.label(tick, count), "small");
      }
      canvas_.line({plot_.left, plot_.top}, {plot_.left, plot_.bottom()}, "axis");
    }
    const int count = std::max(3, static_cast<int>(plot_.width / 70));
    for (const double tick : x_.ticks(count)) {
      canvas_.line({x_.at(tick), plot_.top}, {x_.at(tick), plot_.bottom()}, "grid");
      add_x_label(x_.at(tick), x_.label(tick, count));
    }
    canvas_.line({plot_.left, plot_.bottom()}, {plot_.right(), plot_.bottom()}, "axis");
    canvas_.text({plot_.centre(), plot_.bottom() + 33}, "middle", chart_.x_label);
    if (chart_.y_label.empty()) return;
    canvas_.upright_text({box_.left + 13, plot_.top + 0.5 * plot_.height}, "middle",
                         chart_.y_label);
  }

  // A label that would leave the box ends at its edge.
  void add_x_label(double at, const std::string& label) {
    constexpr double kDigit = 6.4;
    const double half = 0.5 * kDigit * static_cast<double>(label.size());
    const double held = std::clamp(at, box_.left + half, box_.right() - half);
    canvas_.text({held, plot_.bottom() + 16}, "middle", label, "small");
  }

  // Returns where the next entry of the legend starts, or nullopt in a chart that needs none.
  std::optional<SvgPoint> next_entry(const std::string& name) {
    if (entries_.empty()) return std::nullopt;
    const SvgPoint place = entries_.at(entry_++);
    canvas_.text({place.x + 34, place.y}, "start", name);
    return place;
  }

  void add_window(const ChartWindow& window) {
    const double from = x_.at(window.from), to = x_.at(window.to);
    canvas_.rectangle({from, plot_.top, to - from, plot_.height}, "shade");
    if (const auto at = next_entry(window.name)) {
      canvas_.rectangle({at->x, at->y - 10, 28, 11}, "shade");
    }
  }

  void add_band(const ChartBand& band, std::size_t kind) {
    std::vector<SvgPoint> outline;
    for (const ChartBand::Edge& edge : band.edges) {
      if (drawable(edge.x, edge.high) && std::isfinite(edge.low)) {
        outline.push_back({x_.at(edge.x), at_y(edge.high)});
      }
    }
    for (auto edge = band.edges.rbegin(); edge != band.edges.rend(); ++edge) {
      if (drawable(edge->x, edge->low) && std::isfinite(edge->high)) {
        outline.push_back({x_.at(edge->x), at_y(edge->low)});
      }
    }
    const std::string classes =
        band.classes.empty() ? colour_class("f", kind) + " area" : band.classes;
    canvas_.polygon(outline, classes);
    if (const auto at = next_entry(band.name)) {
      canvas_.rectangle({at->x, at->y - 10, 28, 11}, classes);
    }
  }

  void add_span(const ChartSpan& span) {
    const double x = x_.at(span.x), low = at_y(span.low), high = at_y(span.high);
    canvas_.line({x, low}, {x, high}, "middle");
    canvas_.text({x - 5, std::max(high - 3, plot_.top + 11)}, "end", span.high_label);
    canvas_.text({x + 5, std::min(low + 12, plot_.bottom() - 4)}, "start", span.low_label);
  }

  // Ends of both axes: values, then pixels.
  std::string scale_text() const {
    return fmt::format("{} {} {} {} {} {} {} {}", x_.low(), x_.high(), plot_.left, plot_.right(),
                       y_.low(), y_.high(), plot_.bottom(), plot_.top);
  }

  void add_level(const ChartLevel& level) {
    if (std::isfinite(level.y)) {
      canvas_.line({plot_.left, at_y(level.y)}, {plot_.right(), at_y(level.y)}, "level dash");
    }
    if (const auto at = next_entry(level.name)) {
      canvas_.line({at->x, at->y - 4}, {at->x + 28, at->y - 4}, "level dash");
    }
  }

  void add_curve(const ChartCurve& curve, std::size_t kind) {
    const std::string stroke = colour_class("s", kind) + (curve.dashed ? " dash" : "");
    std::vector<SvgPoint> path;
    for (const ChartPoint& point : curve.points) {
      if (drawable(point.x, point.y)) path.push_back({x_.at(point.x), at_y(point.y)});
    }
    if (curve.filled && !path.empty()) {
      std::vector<SvgPoint> outline = path;
      outline.push_back({path.back().x, plot_.bottom()});
      outline.push_back({path.front().x, plot_.bottom()});
      canvas_.polygon(outline, colour_class("f", kind) + " area");
    }
    canvas_.polyline(path, stroke);
    if (curve.marks) add_marks(curve, kind);
    if (const auto at = next_entry(curve.name)) {
      canvas_.line({at->x, at->y - 4}, {at->x + 28, at->y - 4}, stroke);
      if (curve.marks) canvas_.mark({at->x + 14, at->y - 4}, kind);
    }
  }

  void add_marks(const ChartCurve& curve, std::size_t kind) {
    for (const ChartPoint& point : curve.points) {
      if (!drawable(point.x, point.y)) continue;
      const SvgPoint at{x_.at(point.x), at_y(point.y)};
      canvas_.open_group(fmt::format("{}: {:.4g} at {:.4g}", curve.name, point.y, point.x));
      if (const double bar = bar_of(point); bar > 0.0) {
        canvas_.line({at.x, at_y(point.y - bar)}, {at.x, at_y(point.y + bar)},
                     colour_class("s", kind));
      }
      canvas_.mark(at, kind);
      if (!y_.holds(point.y)) {
        const bool below = point.y < y_.low(), at_edge = at.x - plot_.left < 24;
        canvas_.text({at.x + (at_edge ? 7 : 0), at.y + (below ? -8 : 16)},
                     at_edge ? "start" : "middle",
                     fmt::format("{} {:.3g}", below ? "↓" : "↑", point.y), "small");
      }
      canvas_.close_group();
    }
  }

  SvgCanvas& canvas_;
  SvgBox box_;
  const Chart& chart_;
  Axis x_, y_;
  SvgBox plot_;
  std::vector<SvgPoint> entries_;  // places in the legend
  std::size_t entry_ = 0;
};

std::string single_chart(const Chart& chart, double width, double plot_height, SvgUse use) {
  const double height = plot_height + height_around(chart, width);
  SvgCanvas canvas(width, height);
  ChartDrawing(canvas, {0, 0, width, height}, chart).draw();
  return canvas.picture(chart.title, use, chart.description);
}

}  // namespace

std::string svg_chart(const Chart& chart, SvgUse use) {
  // A page scales its charts to the window; a narrow one stays readable on a phone.
  return use == SvgUse::in_page ? single_chart(chart, 400, 220, use)
                                : single_chart(chart, 760, 320, use);
}

std::string svg_card(const Chart& chart, SvgUse use) { return single_chart(chart, 330, 160, use); }

std::string svg_panels(const std::string& title, const std::vector<Chart>& charts, SvgUse use) {
  constexpr double kPanelWidth = 440, kPlotHeight = 210, kGap = 16, kTitle = 34;
  const std::size_t columns = charts.size() > 1 ? 2 : 1;
  double around = 0.0;
  for (const Chart& chart : charts) around = std::max(around, height_around(chart, kPanelWidth));
  const double panel_height = kPlotHeight + around;
  const std::size_t rows = (charts.size() + columns - 1) / columns;
  SvgCanvas canvas(static_cast<double>(columns) * (kPanelWidth + kGap),
                   kTitle + static_cast<double>(rows) * (panel_height + kGap));
  canvas.text({4, 22}, "start", title, "title");
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const std::size_t row = i / columns, column = i % columns;
    const double left = static_cast<double>(column) * (kPanelWidth + kGap);
    const double top = kTitle + static_cast<double>(row) * (panel_height + kGap);
    // All plots of a picture have the same height, whatever their legends need.
    const double height = kPlotHeight + height_around(charts[i], kPanelWidth);
    ChartDrawing(canvas, {left, top, kPanelWidth, height}, charts[i]).draw();
  }
  return canvas.picture(title, use);
}

}  // namespace dpvi
