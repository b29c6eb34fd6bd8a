#include <dpvi/model/regression_formula.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

using Terms = std::vector<std::vector<std::string>>;

std::string message(const std::string& text) {
  try {
    parse_regression_formula(text);
  } catch (const UsageError& error) {
    return error.message();
  }
  return "accepted";
}

TEST(RegressionFormula, SumsAndProductsOfColumnsAreTerms) {
  const RegressionFormula formula = parse_regression_formula("y~a+ b +b:a+a");
  EXPECT_EQ(formula.response, "y");
  EXPECT_TRUE(formula.intercept);
  EXPECT_EQ(formula.terms, (Terms{{"a"}, {"b"}, {"a", "b"}}));
}

TEST(RegressionFormula, StarsStandForAllProductsOfTheirFactors) {
  EXPECT_EQ(parse_regression_formula("y ~ a * b * c").terms,
            (Terms{{"a"}, {"b"}, {"c"}, {"a", "b"}, {"a", "c"}, {"b", "c"}, {"a", "b", "c"}}));
}

TEST(RegressionFormula, ZeroAndMinusOneTakeTheInterceptOut) {
  EXPECT_FALSE(parse_regression_formula("y ~ 0 + a").intercept);
  EXPECT_FALSE(parse_regression_formula("y ~ a - 1").intercept);
  EXPECT_TRUE(parse_regression_formula("y ~ 1").intercept);
}

TEST(RegressionFormula, GroupsHaveInterceptsAndSlopes) {
  const RegressionFormula formula =
      parse_regression_formula("k | trials(n) ~ (1 | g) + (a + b | `ward no`) + (0 + a | h)");
  EXPECT_EQ(formula.trials, "n");
  ASSERT_EQ(formula.groups.size(), 3U);
  EXPECT_EQ(formula.groups[1].group, "ward no");
  EXPECT_TRUE(formula.groups[1].intercept);
  EXPECT_EQ(formula.groups[1].slopes, (std::vector<std::string>{"a", "b"}));
  EXPECT_FALSE(formula.groups[2].intercept);
}

TEST(RegressionFormula, FunctionsOfAColumnStandInProducts) {
  const RegressionFormula formula =
      parse_regression_formula("y ~ log(a) + I(a^2):b + I(a) + factor(g) + offset(log(n)) + .");
  EXPECT_EQ(formula.terms, (Terms{{"log(a)"}, {"I(a^2)", "b"}, {"a"}, {"factor(g)"}}));
  EXPECT_EQ(formula.functions.at("I(a^2)").column, "a");
  EXPECT_EQ(formula.functions.at("I(a^2)").power, 2);
  ASSERT_EQ(formula.offsets.size(), 1U);
  EXPECT_EQ(formula.offsets[0].function, "log");
  EXPECT_EQ(formula.offsets[0].column, "n");
  EXPECT_TRUE(formula.all_columns);
  EXPECT_EQ(parse_regression_formula("y ~ offset + a").terms, (Terms{{"offset"}, {"a"}}));
}

TEST(RegressionFormula, NestedGroupsHaveOneLevelForEachCombination) {
  const RegressionFormula formula = parse_regression_formula("y ~ (1 + x | a/b)");
  ASSERT_EQ(formula.groups.size(), 2U);
  EXPECT_EQ(formula.groups[0].group, "a");
  EXPECT_EQ(formula.groups[1].combined, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(formula.groups[1].slopes, (std::vector<std::string>{"x"}));
  EXPECT_EQ(parse_regression_formula("y ~ (1 | a:b)").groups.size(), 1U);
}

TEST(RegressionFormula, HabitsOfRThatNeedOtherWaysAreRefusedWithTheWayOut) {
  const std::pair<const char*, const char*> refused[] = {
      {"y ~ poly(x, 2)", "the values of poly() for one row depend on all rows."},
      {"y ~ s(x)", "the values of s() for one row depend on all rows."},
      {"y ~ sin(x)", "sin() is not a function of formulas."},
      {"log(y) ~ x", "the response is log(...)."},
      {"cbind(k, n) ~ x", "the response is cbind(...)."},
      {"y ~ (a + b)^2", "parentheses are only for groups, as (1 | g)."},
      {"y ~ a^2", "'^' stands outside I()."},
      {"y ~ a/b", "'/' stands outside a group."},
      {"y ~ (1 || g)", "'||' asks for effects without correlation."},
      {"y ~ I(x^9)", "the power in I() is not a whole number from 1 to 6."},
      {"y ~ I(x + z)", "I() must hold one column, or a power of one."},
      {"y ~ offset(poly(x, 2))", "the values of poly() for one row depend on all rows."},
      {"y ~ offset(scale(x))", "offset() cannot hold scale()."}};
  for (const auto& [text, what] : refused) {
    EXPECT_EQ(message(text), std::string("Formula '") + text + "': " + what);
  }
}

TEST(RegressionFormula, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(message("y a"),
            "Formula 'y a': expected '~' between the response and its predictors at place 3, "
            "found 'a'.");
  EXPECT_EQ(message("y ~ a +"),
            "Formula 'y ~ a +': expected a column, 0, 1 or '(' at place 8, found the end.");
  EXPECT_EQ(message("y ~ (1 | g) + (a | g)"),
            "Formula 'y ~ (1 | g) + (a | g)': expected one '(... | g)' for the effects of 'g' at "
            "place 22, found the end.");
  for (const char* text : {"", "~", "y ~", "y ~ a b", "y ~ (1", "y ~ (|g)", "y ~ `a", "y ~ ``",
                           "y | n ~ a", "y ~ a - b", "y ~ a*b*c*d*e", "y ~ 2", "y ~ (0 | g)"}) {
    EXPECT_NE(message(text), "accepted") << text;
  }
}

}  // namespace
}  // namespace dpvi
