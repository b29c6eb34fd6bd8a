#include <dpvi/report/chart/svg_caterpillar.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <dpvi/report/chart/axis.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kMostBars = 200;
constexpr double kBarsWidth = 400, kBarsTop = 34, kBarsHeight = 230, kBarsLeft = 52,
                 kBarsRight = 386;
constexpr double kBarsBottom = kBarsTop + kBarsHeight;

// The entry of sorted values below which this share of them lies.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

double median_of(const std::vector<ForestRow>& rows, double ForestRow::*member) {
  std::vector<double> values;
  for (const ForestRow& row : rows) {
    if (!std::isnan(row.*member)) values.push_back(row.*member);
  }
  return values.empty() ? std::nan("") : quantile(std::move(values), 0.5);
}

// Joins neighbours until there are few enough rows.
std::vector<ForestRow> binned(const std::vector<ForestRow>& rows, std::size_t per_bar) {
  if (per_bar == 1) return rows;
  std::vector<ForestRow> bars;
  for (std::size_t first = 0; first < rows.size(); first += per_bar) {
    const auto from = rows.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to =
        rows.begin() + static_cast<std::ptrdiff_t>(std::min(first + per_bar, rows.size()));
    const std::vector<ForestRow> part(from, to);
    bars.push_back({fmt::format("{} rows", part.size()), median_of(part, &ForestRow::low),
                    median_of(part, &ForestRow::median), median_of(part, &ForestRow::high),
                    median_of(part, &ForestRow::model_share)});
  }
  return bars;
}

// Holds nearly all ends of the bars and all medians.
Axis readable_axis(const std::vector<ForestRow>& bars) {
  constexpr double kOutliers = 0.02;
  std::vector<double> lows, highs, medians;
  for (const ForestRow& bar : bars) {
    lows.push_back(bar.low);
    highs.push_back(bar.high);
    medians.push_back(bar.median);
  }
  const double low = std::min(quantile(lows, kOutliers), quantile(medians, 0.0));
  const double high = std::max(quantile(highs, 1.0 - kOutliers), quantile(medians, 1.0));
  return Axis(Axis::Kind::linear, low, high).with_margin(0.04).on_pixels(kBarsBottom, kBarsTop);
}

void add_bars_axes(SvgCanvas& canvas, const Axis& axis) {
  constexpr int kTicks = 5;
  for (const double tick : axis.ticks(kTicks)) {
    canvas.line({kBarsLeft, axis.at(tick)}, {kBarsRight, axis.at(tick)}, "grid");
    canvas.text({kBarsLeft - 6, axis.at(tick) + 4}, "end", axis.label(tick, kTicks), "small");
  }
  if (axis.low() < 0.0 && axis.high() > 0.0) {
    canvas.line({kBarsLeft, axis.at(0.0)}, {kBarsRight, axis.at(0.0)}, "level");
  }
  canvas.line({kBarsLeft, kBarsTop}, {kBarsLeft, kBarsBottom}, "axis");
  canvas.line({kBarsLeft, kBarsBottom}, {kBarsRight, kBarsBottom}, "axis");
  canvas.text({0.5 * (kBarsLeft + kBarsRight), kBarsBottom + 18}, "middle", "sorted by median");
}

void add_bars_legend(SvgCanvas& canvas) {
  constexpr double kLine = kBarsBottom + 42;
  canvas.rectangle({kBarsLeft, kLine - 10, 22, 10}, "model");
  canvas.text({kBarsLeft + 28, kLine}, "start", "model", "small");
  canvas.rectangle({kBarsLeft + 80, kLine - 10, 22, 10}, "privacy");
  canvas.text({kBarsLeft + 108, kLine}, "start", "added by privacy", "small");
  canvas.line({kBarsLeft, kLine + 13}, {kBarsLeft + 22, kLine + 13}, "middle");
  canvas.text({kBarsLeft + 28, kLine + 18}, "start", "median; bars hold 90 %", "small");
}

void add_bar(SvgCanvas& canvas, const Axis& axis, const ForestRow& bar, const SvgBox& place) {
  const auto at = [&](double value) { return axis.at(std::clamp(value, axis.low(), axis.high())); };
  const auto part = [&](double low, double high, const char* classes) {
    canvas.rectangle({place.left, at(high), place.width, std::max(0.5, at(low) - at(high))},
                     classes);
  };
  const bool parted = !std::isnan(bar.model_share);
  part(bar.low, bar.high, parted ? "privacy" : "model");
  if (parted) {
    part(bar.median + bar.model_share * (bar.low - bar.median),
         bar.median + bar.model_share * (bar.high - bar.median), "model");
  }
}

}  // namespace

Caterpillar svg_caterpillar(const std::string& title, std::vector<ForestRow> rows, SvgUse use) {
  std::erase_if(rows, [](const ForestRow& row) {
    return !(std::isfinite(row.low) && std::isfinite(row.median) && std::isfinite(row.high));
  });
  std::ranges::stable_sort(rows, {}, &ForestRow::median);
  Caterpillar result;
  result.rows_per_bar = std::max<std::size_t>(1, (rows.size() + kMostBars - 1) / kMostBars);
  const std::vector<ForestRow> bars = binned(rows, result.rows_per_bar);
  const Axis axis = readable_axis(bars);
  SvgCanvas canvas(kBarsWidth, kBarsBottom + 72);
  canvas.title({4, 18}, title, kBarsWidth - 8);
  add_bars_axes(canvas, axis);
  const double pitch =
      (kBarsRight - kBarsLeft) / static_cast<double>(std::max<std::size_t>(1, bars.size()));
  std::vector<SvgPoint> medians;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const double left = kBarsLeft + pitch * static_cast<double>(i);
    add_bar(canvas, axis, bars[i], {left, 0, 0.8 * pitch, 0});
    medians.push_back({left + 0.4 * pitch, axis.at(bars[i].median)});
    if (bars[i].low < axis.low() || bars[i].high > axis.high()) ++result.cut;
  }
  canvas.polyline(medians, "level");
  add_bars_legend(canvas);
  result.picture = canvas.picture(
      title, use,
      fmt::format("{} intervals, sorted by median; tables have their numbers.", rows.size()));
  return result;
}

}  // namespace dpvi
