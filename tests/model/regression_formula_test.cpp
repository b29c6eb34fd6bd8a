#include <dpvi/model/regression_formula.hpp>

#include <gtest/gtest.h>

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
