#include <gtest/gtest.h>

#include <limits>
#include <regex>
#include <string>

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

// Every element that is opened is closed, in order.
void expect_balanced(const std::string& svg) {
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-z]+)[^>]*?(/?)>");
  for (std::sregex_iterator it(svg.begin(), svg.end(), tag), end; it != end; ++it) {
    if ((*it)[3] == "/") continue;
    if ((*it)[1] == "/") {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), (*it)[2]);
      open.pop_back();
    } else {
      open.push_back((*it)[2]);
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
  std::smatch found;
  ASSERT_TRUE(std::regex_search(
      svg, found, std::regex("points=\"([0-9.]+),[0-9.]+ ([0-9.]+),[0-9.]+ ([0-9.]+),")));
  EXPECT_NEAR(std::stod(found[2]) - std::stod(found[1]), std::stod(found[3]) - std::stod(found[2]),
              0.21);
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
