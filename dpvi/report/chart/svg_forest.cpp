#include <dpvi/report/chart/svg_forest.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/report/chart/axis.hpp>
#include <dpvi/report/markup.hpp>

namespace dpvi {
namespace {

constexpr double kForestWidth = 440, kRowHeight = 22, kHead = 30, kFoot = 64;
constexpr double kCharacter = 6.6;  // approximate width of a letter
constexpr std::size_t kLongestName = 24;

double name_width(std::size_t letters) {
  return 14 + kCharacter * static_cast<double>(std::clamp<std::size_t>(letters, 4, kLongestName));
}

// Rows below each other with names on the left and a common axis at the bottom.
class RowsDrawing {
 public:
  RowsDrawing(std::size_t rows, std::size_t letters, const Axis& axis)
      : canvas(kForestWidth, kHead + kRowHeight * static_cast<double>(rows) + kFoot),
        axis_(axis.on_pixels(name_width(letters), kForestWidth - 12)),
        bottom_(kHead + kRowHeight * static_cast<double>(rows)) {}

  double at(double value) const { return axis_.at(value); }
  static double middle_of(std::size_t row) {
    return kHead + kRowHeight * (static_cast<double>(row) + 0.5);
  }

  void add_axis(const std::string& title, const std::string& label) {
    constexpr int kTicks = 4;
    canvas.text({4, 18}, "start", title, "title");
    for (const double tick : axis_.ticks(kTicks)) {
      canvas.line({at(tick), kHead}, {at(tick), bottom_}, "grid");
      canvas.text({at(tick), bottom_ + 16}, "middle", axis_.label(tick, kTicks), "small");
    }
    canvas.line({at(axis_.low()), bottom_}, {at(axis_.high()), bottom_}, "axis");
    if (!label.empty()) canvas.text({kForestWidth - 12, bottom_ + 33}, "end", label, "small");
  }

  void add_name(std::size_t row, const std::string& name) {
    canvas.text({at(axis_.low()) - 8, middle_of(row) + 4}, "end", shortened(name, kLongestName));
  }

  void add_zero_line() {
    if (axis_.low() < 0.0 && axis_.high() > 0.0) {
      canvas.line({at(0.0), kHead}, {at(0.0), bottom_}, "level");
    }
  }

  double legend_line() const { return bottom_ + 52; }

  SvgCanvas canvas;

 private:
  Axis axis_;
  double bottom_;
};

bool is_drawable(const ForestRow& row) {
  return std::isfinite(row.low) && std::isfinite(row.high) && std::isfinite(row.median);
}

void draw_interval(RowsDrawing& drawing, const ForestRow& row, double middle) {
  const auto bar = [&](double low, double high, double thickness, const char* classes) {
    const double left = drawing.at(low);
    const double width = std::max(1.0, drawing.at(high) - left);
    drawing.canvas.rectangle({left, middle - 0.5 * thickness, width, thickness}, classes);
  };
  drawing.canvas.open_group(fmt::format("{}: median {:.4g}, 90 % from {:.4g} to {:.4g}", row.name,
                                        row.median, row.low, row.high),
                            row.name);
  const double share = std::clamp(row.model_share, 0.0, 1.0);
  bar(row.low, row.high, 10, std::isnan(share) ? "model" : "privacy");
  if (!std::isnan(share)) {
    bar(row.median + share * (row.low - row.median), row.median + share * (row.high - row.median),
        10, "model");
  }
  const double at = drawing.at(row.median);
  drawing.canvas.line({at, middle - 8}, {at, middle + 8}, "middle");
  drawing.canvas.close_group();
}

template <class Row>
std::size_t longest_name(const std::vector<Row>& rows) {
  std::size_t letters = 0;
  for (const Row& row : rows) letters = std::max(letters, row.name.size());
  return letters;
}

}  // namespace

std::string svg_forest(const std::string& title, const std::vector<ForestRow>& rows, SvgUse use) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const ForestRow& row : rows) {
    if (!is_drawable(row)) continue;
    low = std::min(low, row.low);
    high = std::max(high, row.high);
  }
  RowsDrawing drawing(rows.size(), longest_name(rows),
                      Axis(Axis::Kind::linear, low, high).with_margin(0.03));
  drawing.add_axis(title, "");
  drawing.add_zero_line();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    drawing.add_name(i, rows[i].name);
    if (is_drawable(rows[i])) draw_interval(drawing, rows[i], RowsDrawing::middle_of(i));
  }
  const double line = drawing.legend_line();
  drawing.canvas.rectangle({12, line - 10, 22, 10}, "model");
  drawing.canvas.text({40, line}, "start", "model", "small");
  drawing.canvas.rectangle({92, line - 10, 22, 10}, "privacy");
  drawing.canvas.text({120, line}, "start", "added by privacy", "small");
  drawing.canvas.line({234, line - 12}, {234, line + 2}, "middle");
  drawing.canvas.text({242, line}, "start", "median; bars hold 90 %", "small");
  return drawing.canvas.picture(title, use);
}

std::string svg_dumbbells(const DumbbellNames& names, const std::vector<DumbbellRow>& rows,
                          SvgUse use) {
  double low = std::numeric_limits<double>::infinity(), high = 0.0;
  const auto drawable = [](double value) { return std::isfinite(value) && value > 0.0; };
  for (const DumbbellRow& row : rows) {
    for (const double value : {row.first, row.second}) {
      if (!drawable(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  RowsDrawing drawing(rows.size(), longest_name(rows),
                      Axis(Axis::Kind::logarithmic, low, high).with_margin(0.06));
  drawing.add_axis(names.title, names.axis);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [name, first, second] = rows[i];
    const double middle = RowsDrawing::middle_of(i);
    drawing.add_name(i, name);
    drawing.canvas.open_group(
        fmt::format("{}: {} {:.3g}, {} {:.3g}", name, names.first, first, names.second, second),
        name);
    if (drawable(first) && drawable(second)) {
      drawing.canvas.line({drawing.at(first), middle}, {drawing.at(second), middle}, "axis");
    }
    if (drawable(first)) drawing.canvas.mark({drawing.at(first), middle}, 1);
    if (drawable(second)) drawing.canvas.mark({drawing.at(second), middle}, 0);
    drawing.canvas.close_group();
  }
  const double line = drawing.legend_line();
  drawing.canvas.mark({18, line - 4}, 1);
  drawing.canvas.text({28, line}, "start", names.first, "small");
  drawing.canvas.mark({178, line - 4}, 0);
  drawing.canvas.text({188, line}, "start", names.second, "small");
  return drawing.canvas.picture(names.title, use);
}

}  // namespace dpvi
