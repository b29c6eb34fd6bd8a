#include <dpvi/report/chart/svg_forest.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/report/chart/axis.hpp>
#include <dpvi/report/markup.hpp>

namespace dpvi {
namespace {

constexpr double kForestWidth = 380, kFoot = 64, kEdge = 14;
constexpr double kCharacter = 7.3;  // approximate width of a letter
constexpr std::size_t kLongestBeside = 16, kLongestAbove = 50;

// Where the names of rows stand, and the room that rows need.
struct RowsLayout {
  explicit RowsLayout(std::size_t letters) : above(letters > kLongestBeside) {}

  bool above;  // long names stand above what they name, others on its left
  double height() const { return above ? 38 : 22; }
  double middle() const { return above ? 27 : 11; }
  double left(std::size_t letters) const {
    return above ? kEdge : 14 + kCharacter * static_cast<double>(std::max<std::size_t>(letters, 4));
  }
};

// Rows below each other, with their names.
class RowsDrawing {
 public:
  RowsDrawing(std::size_t rows, std::size_t letters, const std::string& title, double head = 30)
      : RowsDrawing(RowsLayout(letters), static_cast<double>(rows), letters, head) {
    canvas.title({4, 18}, title, kForestWidth - 8);
  }

  double left() const { return left_; }
  double middle_of(std::size_t row) const {
    return head_ + layout_.height() * static_cast<double>(row) + layout_.middle();
  }

  // Labels that would touch the one before, or what is right of `end`, are left out.
  void add_axis(const Axis& axis, int ticks, const std::string& label, double end = kForestWidth) {
    constexpr double kDigit = 6.6, kBetween = 4;
    double taken = 0.0;
    for (const double tick : axis.ticks(ticks)) {
      const std::string text = tick == 0.0 ? "0" : axis.label(tick, ticks);
      const double at = axis.at(tick), half = 0.5 * kDigit * static_cast<double>(text.size());
      canvas.line({at, head_}, {at, bottom_}, "grid");
      if (at - half < taken || at + half > end) continue;
      canvas.text({at, bottom_ + 16}, "middle", text, "small");
      taken = at + half + kBetween;
    }
    canvas.line({axis.at(axis.low()), bottom_}, {axis.at(axis.high()), bottom_}, "axis");
    if (!label.empty()) canvas.text({kForestWidth - kEdge, bottom_ + 33}, "end", label, "small");
  }

  void add_name(std::size_t row, const std::string& name) {
    if (layout_.above) {
      canvas.text({left_, middle_of(row) - 11}, "start", shortened(name, kLongestAbove), "over");
    } else {
      canvas.text({left_ - 8, middle_of(row) + 4}, "end", name);
    }
  }

  void add_zero_line(const Axis& axis) {
    if (axis.low() < 0.0 && axis.high() > 0.0) {
      canvas.line({axis.at(0.0), head_}, {axis.at(0.0), bottom_}, "level");
    }
  }

  double legend_line() const { return bottom_ + 52; }

  SvgCanvas canvas;

 private:
  RowsDrawing(RowsLayout layout, double rows, std::size_t letters, double head)
      : canvas(kForestWidth, head + layout.height() * rows + kFoot),
        layout_(layout),
        left_(layout.left(letters)),
        head_(head),
        bottom_(head + layout.height() * rows) {}

  RowsLayout layout_;
  double left_, head_, bottom_;
};

bool is_drawable(const ForestRow& row) {
  return std::isfinite(row.low) && std::isfinite(row.high) && std::isfinite(row.median);
}

// Two axes: one for the intervals, and one for their widths, which are often too small to be seen
// beside the distances between parameters.
struct ForestAxes {
  Axis place;
  Axis width;
};

void draw_interval(SvgCanvas& canvas, const ForestAxes& axes, const ForestRow& row, double middle) {
  const auto bar = [&](const Axis& axis, double low, double high, const char* classes) {
    const double left = axis.at(low);
    canvas.rectangle({left, middle - 5, std::max(1.0, axis.at(high) - left), 10}, classes);
  };
  const std::string label = row.label.empty() ? "" : fmt::format(" ({})", row.label);
  canvas.open_group(fmt::format("{}{}: median {:.4g}, 90 % from {:.4g} to {:.4g}", row.name, label,
                                row.median, row.low, row.high),
                    row.name);
  const bool parted = !std::isnan(row.model_share);
  const double share = parted ? std::clamp(row.model_share, 0.0, 1.0) : 1.0;
  const double width = row.high - row.low;
  bar(axes.width, 0.0, width, parted ? "privacy" : "model");
  bar(axes.place, row.low, row.high, parted ? "privacy" : "model");
  if (parted) {
    bar(axes.width, 0.0, share * width, "model");
    bar(axes.place, row.median + share * (row.low - row.median),
        row.median + share * (row.high - row.median), "model");
  }
  const double at = axes.place.at(row.median);
  canvas.line({at, middle - 8}, {at, middle + 8}, "middle");
  canvas.close_group();
}

ForestAxes forest_axes(const std::vector<ForestRow>& rows, double left) {
  constexpr double kWidths = 74, kGap = 18;
  double low = std::numeric_limits<double>::infinity(), high = -low, widest = 0.0;
  for (const ForestRow& row : rows) {
    if (!is_drawable(row)) continue;
    low = std::min(low, row.low);
    high = std::max(high, row.high);
    widest = std::max(widest, row.high - row.low);
  }
  const double right = kForestWidth - kEdge;
  return {
      Axis(Axis::Kind::linear, low, high).with_margin(0.03).on_pixels(left, right - kWidths - kGap),
      Axis(Axis::Kind::linear, 0.0, widest > 0.0 ? widest : 1.0).on_pixels(right - kWidths, right)};
}

void add_forest_legend(SvgCanvas& canvas, double line, bool parted) {
  canvas.rectangle({12, line - 10, 22, 10}, "model");
  canvas.text({40, line}, "start", "model", "small");
  if (parted) {
    canvas.rectangle({92, line - 10, 22, 10}, "privacy");
    canvas.text({120, line}, "start", "added by privacy", "small");
  }
  canvas.line({234, line - 12}, {234, line + 2}, "middle");
  canvas.text({242, line}, "start", "median", "small");
}

const std::string& shown_name(const ForestRow& row) {
  return row.label.empty() ? row.name : row.label;
}

const std::string& shown_name(const DumbbellRow& row) { return row.name; }

template <class Row>
std::size_t longest_name(const std::vector<Row>& rows) {
  std::size_t letters = 0;
  for (const Row& row : rows) letters = std::max(letters, letter_count(shown_name(row)));
  return letters;
}

// A logarithmic axis for these values. It spans a factor of ten at least, so that a small
// difference looks small.
Axis fair_axis(double low, double high) {
  constexpr double kNarrowest = 10.0;
  const double missing = std::max(1.0, std::sqrt(kNarrowest * low / high));
  return Axis(Axis::Kind::logarithmic, low / missing, high * missing).with_margin(0.06);
}

}  // namespace

std::string svg_forest(const std::string& title, const std::vector<ForestRow>& rows, SvgUse use) {
  constexpr double kHead = 48;
  RowsDrawing drawing(rows.size(), longest_name(rows), title, kHead);
  const ForestAxes axes = forest_axes(rows, drawing.left());
  drawing.canvas.text({axes.place.at(axes.place.low()), kHead - 8}, "start", "90 % interval",
                      "small");
  drawing.canvas.text({axes.width.at(0.0), kHead - 8}, "start", "its width", "small");
  drawing.add_axis(axes.place, 3, "", axes.width.at(0.0) - 6);
  drawing.add_axis(axes.width, 1, "");
  drawing.add_zero_line(axes.place);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    drawing.add_name(i, shown_name(rows[i]));
    if (is_drawable(rows[i])) {
      draw_interval(drawing.canvas, axes, rows[i], drawing.middle_of(i));
    }
  }
  const bool parted =
      std::ranges::any_of(rows, [](const ForestRow& row) { return !std::isnan(row.model_share); });
  add_forest_legend(drawing.canvas, drawing.legend_line(), parted);
  return drawing.canvas.picture(
      title, use, fmt::format("{} intervals; a table has their numbers.", rows.size()));
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
  RowsDrawing drawing(rows.size(), longest_name(rows), names.title);
  const Axis axis = fair_axis(low, high).on_pixels(drawing.left(), kForestWidth - kEdge);
  drawing.add_axis(axis, 4, names.axis);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [name, first, second] = rows[i];
    const double middle = drawing.middle_of(i);
    drawing.add_name(i, name);
    drawing.canvas.open_group(
        fmt::format("{}: {} {:.3g}, {} {:.3g}", name, names.first, first, names.second, second),
        name);
    if (drawable(first) && drawable(second)) {
      drawing.canvas.line({axis.at(first), middle}, {axis.at(second), middle}, "axis");
    }
    if (drawable(first)) drawing.canvas.mark({axis.at(first), middle}, 1);
    if (drawable(second)) drawing.canvas.mark({axis.at(second), middle}, 0);
    drawing.canvas.close_group();
  }
  const double line = drawing.legend_line();
  drawing.canvas.mark({18, line - 4}, 1);
  drawing.canvas.text({28, line}, "start", names.first, "small");
  drawing.canvas.mark({178, line - 4}, 0);
  drawing.canvas.text({188, line}, "start", names.second, "small");
  return drawing.canvas.picture(names.title, use, "A table has the numbers.");
}

}  // namespace dpvi
