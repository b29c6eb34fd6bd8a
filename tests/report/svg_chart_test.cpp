#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <dpvi/report/chart/axis.hpp>
#include <dpvi/report/chart/density_curve.hpp>
#include <dpvi/report/chart/svg_caterpillar.hpp>
#include <dpvi/report/chart/svg_chart.hpp>
#include <dpvi/report/chart/svg_forest.hpp>
#include <dpvi/report/chart/svg_heat_map.hpp>
#include <dpvi/report/chart/svg_map.hpp>
#include <dpvi/report/markup.hpp>

#include "markup_checks.hpp"

namespace dpvi {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Chart example() {
  return {.title = "a < b & c",
          .x_label = "epsilon",
          .y_label = "accuracy",
          .curves = {{"ours", {{0.1, 0.7, 0.01}, {1.0, 0.75, 0.0}, {10.0, 0.8, 0.0}}},
                     {"theirs", {{0.2, 0.6}, {5.0, 0.7}}, true}},
          .levels = {{"non-private", 0.82}}};
}

std::string drawn(const Chart& chart) { return svg_chart(chart, SvgUse::in_page); }

TEST(SvgChart, HasALineForEachCurveAndAMarkForEachPointAndEntryOfTheLegend) {
  const std::string svg = drawn(example());
  EXPECT_EQ(count(svg, "<polyline"), 2U);
  EXPECT_EQ(count(svg, "<circle"), 3U + 1U);
  EXPECT_EQ(count(svg, "width=\"6.4\""), 2U + 1U);
  EXPECT_EQ(count(svg, ">non-private<"), 1U);
  expect_balanced(svg);
}

TEST(SvgChart, CurvesDifferInColour) {
  const std::string svg = drawn(example());
  EXPECT_EQ(count(svg, "class=\"f0\""), 3U + 1U);
  EXPECT_EQ(count(svg, "class=\"f1\""), 2U + 1U);
}

TEST(SvgChart, EqualFactorsOfEpsilonAreEquallyFarApart) {
  const std::string svg = drawn(example());
  const std::size_t at = svg.find("points=\"");
  ASSERT_NE(at, std::string::npos);
  std::istringstream points(svg.substr(at + 8));
  double x[3] = {}, y = 0.0;
  char comma = 0;
  for (double& place : x) ASSERT_TRUE(points >> place >> comma >> y);
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.21);
}

TEST(SvgChart, TextsCannotBreakThePicture) {
  EXPECT_NE(drawn(example()).find("a &lt; b &amp; c"), std::string::npos);
}

TEST(SvgChart, LeavesOutWhatCannotBeDrawn) {
  Chart chart = example();
  chart.curves = {{"odd", {{kNaN, 1.0}, {1.0, kNaN}, {-1.0, 0.5}, {0.0, 0.5}, {2.0, 0.5, kNaN}}}};
  chart.levels = {{"none", kNaN}};
  chart.bands = {{"band", {{kNaN, 0.0, 1.0}, {1.0, kNaN, 1.0}}}};
  const std::string svg = drawn(chart);
  EXPECT_EQ(count(svg, "<title>odd"), 1U);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(drawn({}).find("nan"), std::string::npos);
}

TEST(SvgChart, APointOutsideTheRangeStandsAtTheEdgeWithItsValue) {
  Chart chart = example();
  chart.y_range = std::pair{0.65, 0.85};
  const std::string svg = drawn(chart);
  EXPECT_EQ(count(svg, ">↓ 0.6<"), 1U);
  expect_balanced(svg);
}

TEST(SvgChart, AFileHasItsStyleAndAPageHasItOnce) {
  EXPECT_NE(svg_chart(example(), SvgUse::file).find("prefers-color-scheme: dark"),
            std::string::npos);
  EXPECT_EQ(drawn(example()).find("<style>"), std::string::npos);
}

TEST(SvgChart, PanelsAreInOnePicture) {
  const std::string svg = svg_panels("figure", {example(), example(), example()}, SvgUse::file);
  EXPECT_EQ(count(svg, "<svg"), 1U);
  EXPECT_EQ(count(svg, "<polyline"), 6U);
  expect_balanced(svg);
}

TEST(Axis, TicksAreRoundAndInsideTheRange) {
  const Axis axis = Axis(Axis::Kind::linear, -0.37, 1.21).on_pixels(0, 100);
  const std::vector<double> ticks = axis.ticks(5);
  EXPECT_GE(ticks.size(), 3U);
  for (const double tick : ticks) {
    EXPECT_TRUE(axis.holds(tick));
    EXPECT_NEAR(tick * 20.0, std::round(tick * 20.0), 1e-9);
  }
  EXPECT_EQ(Axis(Axis::Kind::logarithmic, 100, 1e6).label(1e5, 5), "1e5");
  EXPECT_EQ(Axis(Axis::Kind::logarithmic, 100, 1e6).label(1e4, 5), "10000");
}

TEST(Axis, AnyRangeCanBeDrawn) {
  for (const double low : {kNaN, -kInfinity, 0.0, 3.0, 1e300, -1e308}) {
    for (const double high : {kNaN, kInfinity, 0.0, 3.0, -1e300, 1e308}) {
      for (const Axis::Kind kind : {Axis::Kind::linear, Axis::Kind::logarithmic}) {
        const Axis axis = Axis(kind, low, high).on_pixels(0, 100);
        EXPECT_LT(axis.low(), axis.high());
        EXPECT_TRUE(std::isfinite(axis.at(axis.low())));
        EXPECT_LE(axis.ticks(5).size(), 100U);
      }
    }
  }
}

TEST(Axis, LabelsOfNeighboursDifferAndZeroHasNoSign) {
  for (const auto& [low, high] : {std::pair{3.944e8 - 9e3, 3.944e8 + 9e3}, std::pair{-1e7, 9e7},
                                  std::pair{-3e-5, 1e-5}, std::pair{1.2e300, 1.35e300}}) {
    const Axis axis(Axis::Kind::linear, low, high);
    std::string before;
    for (const double tick : axis.ticks(4)) {
      EXPECT_NE(axis.label(tick, 4), before);
      EXPECT_NE(axis.label(tick, 4), "-0");
      before = axis.label(tick, 4);
    }
  }
}

TEST(Axis, HasAtLeastTwoTicks) {
  for (const double low : {-2.4, 0.019, 0.7}) {
    for (const double length : {0.013, 0.4, 0.9, 3.0, 77.0}) {
      const Axis linear(Axis::Kind::linear, low, low + length);
      EXPECT_GE(linear.ticks(3).size(), 2U) << low << ' ' << length;
      EXPECT_LE(linear.ticks(3).size(), 7U) << low << ' ' << length;
      if (low < 0.0) continue;
      EXPECT_GE(Axis(Axis::Kind::logarithmic, low, low + length).ticks(4).size(), 2U)
          << low << ' ' << length;
    }
  }
}

TEST(Axis, TicksOfNearlyTwoDecadesAreSpreadOverThem) {
  const std::vector<double> ticks = Axis(Axis::Kind::logarithmic, 0.18, 8.7).ticks(3);
  ASSERT_EQ(ticks.size(), 5U);
  EXPECT_NEAR(ticks.front(), 0.2, 1e-12);
  EXPECT_NEAR(ticks[2], 1.0, 1e-12);
  EXPECT_NEAR(ticks.back(), 5.0, 1e-12);
}

TEST(SvgCaterpillar, OutliersDoNotStretchTheAxis) {
  std::vector<ForestRow> rows;
  for (int i = 0; i < 300; ++i) rows.push_back({"r", i - 1.0, 1.0 * i, i + 1.0, 0.5});
  rows[7].high = 1e6;
  rows.push_back({"none", kNaN, kNaN, kNaN, kNaN});
  const Caterpillar drawn = svg_caterpillar("c", rows, SvgUse::in_page);
  EXPECT_EQ(drawn.rows_per_bar, 2U);
  EXPECT_EQ(drawn.picture.find("1e6"), std::string::npos);
  EXPECT_EQ(count(drawn.picture, "class=\"privacy\""), 150U + 1U);
  EXPECT_NE(drawn.picture.find(">300<"), std::string::npos);
  expect_balanced(drawn.picture);
  rows.resize(100);
  const Caterpillar single = svg_caterpillar("c", rows, SvgUse::in_page);
  EXPECT_EQ(single.rows_per_bar, 1U);
  EXPECT_EQ(single.cut, 1U);
  EXPECT_NE(svg_caterpillar("c", {}, SvgUse::in_page).picture.find("</svg>"), std::string::npos);
}

TEST(SvgForest, HasTwoShadesForARowAndNoneForARowThatIsNotANumber) {
  const std::string svg =
      svg_forest("f", {{"a", -1.0, 0.0, 1.0, 0.5}, {"b", kNaN, kNaN, kNaN, 0.5}}, SvgUse::in_page);
  // The interval, its width, and the legend.
  EXPECT_EQ(count(svg, "class=\"privacy\""), 3U);
  EXPECT_EQ(count(svg, "class=\"model\""), 3U);
  EXPECT_EQ(count(svg, ">b<"), 1U);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  expect_balanced(svg);
}

TEST(SvgForest, TheModelsPartOfABarHasItsShareOfTheWidth) {
  const std::string svg = svg_forest("f", {{"a", -1.0, 0.0, 1.0, 0.25}}, SvgUse::in_page);
  const auto width_after = [&](const std::string& start) {
    const std::size_t place = svg.find("width=\"", svg.find(start));
    return std::stod(svg.substr(place + 7));
  };
  EXPECT_NEAR(width_after("class=\"model\""), 0.25 * width_after("class=\"privacy\""), 0.2);
}

TEST(SvgDumbbells, LeavesOutNumbersWithoutALogarithm) {
  const std::string svg =
      svg_dumbbells({"t", "x", "forecast", "obtained"},
                    {{"a", 0.1, 0.2}, {"b", -1.0, 0.5}, {"c", kNaN, kInfinity}}, SvgUse::in_page);
  EXPECT_EQ(count(svg, "<circle"), 2U + 1U);
  EXPECT_EQ(count(svg, "width=\"6.4\""), 1U + 1U);
  expect_balanced(svg);
}

TEST(SvgDumbbells, ASmallDifferenceLooksSmall) {
  const std::string svg =
      svg_dumbbells({"t", "x", "forecast", "obtained"}, {{"a", 0.1, 0.11}}, SvgUse::in_page);
  std::vector<double> widths;
  for (const Element& line : elements(svg, "line")) {
    if (!line.says("class=\"axis\"")) continue;
    widths.push_back(std::abs(line.number("x2") - line.number("x1")));
  }
  ASSERT_EQ(widths.size(), 2U);  // the axis and the row
  EXPECT_LT(widths[1], 0.06 * widths[0]);
}

TEST(SvgForest, ALongNameStandsAboveItsBar) {
  const std::string name = "a_name_of_more_than_sixteen_letters";
  const std::string svg = svg_forest("f", {{name, -1.0, 0.0, 1.0, 0.5}}, SvgUse::in_page);
  EXPECT_EQ(count(svg, ">" + name + "</text>"), 1U);
  const std::string labelled = svg_forest("f", {{"a[1]", -1, 0, 1, 0.5, "north"}}, SvgUse::in_page);
  EXPECT_EQ(count(labelled, ">north</text>"), 1U);
  EXPECT_EQ(count(labelled, "data-name=\"a[1]\""), 1U);
  EXPECT_EQ(count(labelled, "a[1] (north): median 0"), 1U);
}

TEST(SvgHeatMap, EmptyWhereACorrelationIsUndefined) {
  const std::string svg =
      svg_correlations("t", {"a", "b"}, {{1.0, kNaN}, {kNaN, 1.0}}, SvgUse::in_page);
  EXPECT_EQ(count(svg, "class=\"plus\""), 2U);
  expect_balanced(svg);
}

TEST(SvgMap, DrawsEveryPointAndCircleOfEveryPanel) {
  const MapPanel panel{"one", "sigma 1", {{0, 0}, {2, 2}, {-2, 100}}, {{{1, 1}, 0.5, 1.0}}};
  const std::string svg = svg_map("mixtures", {panel, panel}, SvgUse::file);
  EXPECT_EQ(count(svg, "<circle"), 2U * 4U);
  EXPECT_EQ(count(svg, ">sigma 1</text>"), 2U);
  expect_balanced(svg);
}

TEST(SvgForest, LabelsOfItsTwoAxesDoNotTouch) {
  const std::string svg = svg_forest("f", {{"a", 0.0, 1e-4, 3.05e-4, 0.5}}, SvgUse::in_page);
  EXPECT_EQ(svg.find(">0.0000<"), std::string::npos);
  std::vector<std::pair<double, double>> labels;  // ends, by the widths of 11 pixel digits
  for (const Element& label : elements(svg, "text")) {
    if (!label.says("text-anchor=\"middle\"")) continue;
    const double at = label.number("x"), half = 3.3 * static_cast<double>(label.text.size());
    labels.emplace_back(at - half, at + half);
  }
  ASSERT_GE(labels.size(), 3U);
  std::ranges::sort(labels);
  for (std::size_t i = 1; i < labels.size(); ++i) {
    EXPECT_LT(labels[i - 1].second, labels[i].first);
  }
}

TEST(SvgMap, CirclesDoNotLeaveTheirPanel) {
  const std::string svg =
      svg_map("title", {{"one", "", {{0, 0}}, {{{0, 0}, 40.0, 1.0}}}}, SvgUse::file);
  const std::size_t clipped = svg.find("clip-path=\"url(#panel1)\"");
  ASSERT_NE(clipped, std::string::npos);
  EXPECT_LT(clipped, svg.find("r=\"1360\""));
  EXPECT_NE(svg.find("<clipPath id=\"panel1\">"), std::string::npos);
  expect_balanced(svg);
}

TEST(DensityCurve, HasAreaOneAndTheModeOfItsDraws) {
  std::vector<double> draws;
  for (int i = 1; i < 1000; ++i) draws.push_back(std::log(i / (1000.0 - i)));  // logistic
  const std::vector<ChartPoint> curve = density_curve(draws);
  double area = 0.0, mode = 0.0, highest = 0.0;
  for (std::size_t k = 1; k < curve.size(); ++k) {
    area += 0.5 * (curve[k].x - curve[k - 1].x) * (curve[k].y + curve[k - 1].y);
    if (curve[k].y > highest) {
      highest = curve[k].y;
      mode = curve[k].x;
    }
  }
  EXPECT_NEAR(area, 1.0, 0.01);
  EXPECT_NEAR(highest, 0.25, 0.02);
  EXPECT_NEAR(mode, 0.0, 0.3);
}

double highest_place(const std::vector<ChartPoint>& curve) {
  return std::ranges::max_element(curve, {}, &ChartPoint::y)->x;
}

TEST(DensityCurve, SpikeWithFarDrawsIsWhereMostDrawsAre) {
  std::vector<double> draws(1000);
  for (std::size_t i = 0; i < draws.size(); ++i) {  // from 1e-16 to 2e-3, of both signs
    draws[i] = (i % 2 == 0 ? 2e-3 : -2e-3) * std::pow(10.0, -0.013 * static_cast<double>(i));
  }
  const std::vector<ChartPoint> curve = density_curve(draws);
  ASSERT_FALSE(curve.empty());
  EXPECT_LT(std::abs(highest_place(curve)), 0.1 * curve.back().x);
}

TEST(DensityCurve, MassAtAnEndOfTheSupportIsKept) {
  std::vector<double> draws;
  for (int i = 0; i < 1000; ++i) draws.push_back(-5.0 + 10.0 * (i + 0.5) / 1000.0);  // uniform
  const std::vector<ChartPoint> curve = density_curve(draws, {-5.0, 5.0});
  EXPECT_GE(curve.front().x, -5.0);
  EXPECT_LE(curve.back().x, 5.0);
  for (const ChartPoint& point : curve) EXPECT_NEAR(point.y, 0.1, 0.01);
}

TEST(DensityCurve, ConstantOrMissingDrawsHaveNone) {
  EXPECT_TRUE(density_curve(std::vector<double>{}).empty());
  EXPECT_TRUE(density_curve(std::vector{1.0, 1.0, 1.0}).empty());
  EXPECT_TRUE(density_curve(std::vector{kNaN, 1.0, kInfinity}).empty());
}

TEST(DensityCurve, InterpolationWorksInBothDirections) {
  const std::vector<ChartPoint> grid = {{0.5, 0.0}, {3.0, 0.0}};
  EXPECT_DOUBLE_EQ(interpolated(std::vector{0.0, 1.0}, std::vector{2.0, 4.0}, grid).at(0).y, 3.0);
  EXPECT_DOUBLE_EQ(interpolated(std::vector{1.0, 0.0}, std::vector{4.0, 2.0}, grid).at(0).y, 3.0);
  EXPECT_EQ(interpolated(std::vector{0.0, 1.0}, std::vector{2.0, 4.0}, grid).size(), 1U);
}

}  // namespace
}  // namespace dpvi
