#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <dpvi/report/markup.hpp>
#include <dpvi/report/svg_chart.hpp>

namespace dpvi {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

// Every opened element is closed, in order.
void expect_balanced(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    if (svg[end - 1] == '/') continue;
    const bool closes = svg[at + 1] == '/';
    const std::size_t name = at + (closes ? 2 : 1);
    const std::string element = svg.substr(name, svg.find_first_of(" >", name) - name);
    if (closes) {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), element);
      open.pop_back();
    } else {
      open.push_back(element);
    }
  }
  EXPECT_TRUE(open.empty());
}

Chart example() {
  return {.title = "a < b & c",
          .x_label = "epsilon",
          .y_label = "accuracy",
          .curves = {{"ours", {{0.1, 0.7, 0.01}, {1.0, 0.75, 0.0}, {10.0, 0.8, 0.0}}, false},
                     {"theirs", {{0.2, 0.6}, {5.0, 0.7}}, true}},
          .levels = {{"non-private", 0.82}}};
}

TEST(SvgChart, HasALineForEachCurveAndAMarkForEachPointAndEntryOfTheLegend) {
  const std::string svg = svg_chart(example());
  EXPECT_EQ(count(svg, "<polyline"), 2u);
  EXPECT_EQ(count(svg, "<circle"), 3u + 1u);
  EXPECT_EQ(count(svg, "width=\"6.4\""), 2u + 1u);
  EXPECT_EQ(count(svg, ">non-private<"), 1u);
  expect_balanced(svg);
}

TEST(SvgChart, EqualFactorsOfEpsilonAreEquallyFarApart) {
  const std::string svg = svg_chart(example());
  const std::size_t at = svg.find("points=\"");
  ASSERT_NE(at, std::string::npos);
  std::istringstream points(svg.substr(at + 8));
  double x[3] = {}, y = 0.0;
  char comma = 0;
  for (double& place : x) ASSERT_TRUE(points >> place >> comma >> y);
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.21);
}

TEST(SvgChart, TextsCannotBreakThePicture) {
  const std::string svg = svg_chart(example());
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_EQ(escaped_markup("\"<&>\""), "&quot;&lt;&amp;&gt;&quot;");
}

TEST(SvgChart, LeavesOutWhatCannotBeDrawn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Chart chart = example();
  chart.curves = {
      {"odd", {{nan, 1.0}, {1.0, nan}, {-1.0, 0.5}, {0.0, 0.5}, {2.0, 0.5, nan}}, false}};
  chart.levels = {{"none", nan}};
  const std::string svg = svg_chart(chart);
  EXPECT_EQ(count(svg, "<circle"), 1u + 1u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg_chart({}).find("nan"), std::string::npos);
}

TEST(SvgMap, DrawsEveryPointAndCircleOfEveryPanel) {
  const MapPanel panel{"one", {{0, 0}, {2, 2}, {-2, 100}}, {{{1, 1}, 0.5, 1.0}}};
  const std::string svg = svg_map("mixtures", {panel, panel});
  EXPECT_EQ(count(svg, "<circle"), 2u * 4u);
  expect_balanced(svg);
}

TEST(SvgChart, AnotherViewOfACurveHasItsColourAndAnEntryOfItsOwn) {
  Chart chart = example();
  const std::string apart = svg_chart(chart);
  EXPECT_EQ(count(apart, "stroke=\"#d55e00\""), 2u);
  chart.curves[1].as_previous = true;
  const std::string together = svg_chart(chart);
  EXPECT_EQ(count(together, "stroke=\"#d55e00\""), 0u);
  EXPECT_EQ(count(together, ">theirs<"), 1u);
}

TEST(SvgMap, CirclesDoNotLeaveTheirPanel) {
  const std::string svg = svg_map("title", {{"one", {{0, 0}}, {{{0, 0}, 40.0, 1.0}}}});
  const std::size_t clipped = svg.find("clip-path=\"url(#panel1)\"");
  ASSERT_NE(clipped, std::string::npos);
  EXPECT_LT(clipped, svg.find("r=\"1360.0\""));
  EXPECT_NE(svg.find("<clipPath id=\"panel1\">"), std::string::npos);
  expect_balanced(svg);
}

TEST(SvgPictures, FollowTheReadersLightOrDarkPaper) {
  EXPECT_NE(svg_chart(example()).find("prefers-color-scheme: dark"), std::string::npos);
}

}  // namespace
}  // namespace dpvi
