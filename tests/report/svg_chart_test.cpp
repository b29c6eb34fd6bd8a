#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <dpvi/report/chart/axis.hpp>
#include <dpvi/report/chart/density_curve.hpp>
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

TEST(SvgForest, HasTwoShadesForARowAndNoneForARowThatIsNotANumber) {
  const std::string svg =
      svg_forest("f", {{"a", -1.0, 0.0, 1.0, 0.5}, {"b", kNaN, kNaN, kNaN, 0.5}}, SvgUse::in_page);
  EXPECT_EQ(count(svg, "class=\"privacy\""), 1U + 1U);  // and one in the legend
  EXPECT_EQ(count(svg, "class=\"model\""), 1U + 1U);
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

TEST(SvgHeatMap, EmptyWhereACorrelationIsUndefined) {
  const std::string svg =
      svg_correlations("t", {"a", "b"}, {{1.0, kNaN}, {kNaN, 1.0}}, SvgUse::in_page);
  EXPECT_EQ(count(svg, "class=\"plus\""), 2U);
  expect_balanced(svg);
}

TEST(SvgMap, DrawsEveryPointAndCircleOfEveryPanel) {
  const MapPanel panel{"one", {{0, 0}, {2, 2}, {-2, 100}}, {{{1, 1}, 0.5, 1.0}}};
  const std::string svg = svg_map("mixtures", {panel, panel}, SvgUse::file);
  EXPECT_EQ(count(svg, "<circle"), 2U * 4U);
  expect_balanced(svg);
}

TEST(SvgMap, CirclesDoNotLeaveTheirPanel) {
  const std::string svg =
      svg_map("title", {{"one", {{0, 0}}, {{{0, 0}, 40.0, 1.0}}}}, SvgUse::file);
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
