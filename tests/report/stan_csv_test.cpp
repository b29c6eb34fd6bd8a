#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include <dpvi/base/error.hpp>
#include <dpvi/report/column_names.hpp>
#include <dpvi/report/stan_csv.hpp>
#include <dpvi/report/stan_csv_reader.hpp>

#include "example_result.hpp"

namespace dpvi {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

std::ptrdiff_t header_at(const std::vector<std::string>& lines) {
  const auto is_data = [](const std::string& line) { return !line.starts_with('#'); };
  return std::find_if(lines.begin(), lines.end(), is_data) - lines.begin();
}

bool has_line(const std::vector<std::string>& lines, const std::string& wanted) {
  return std::find(lines.begin(), lines.end(), wanted) != lines.end();
}

// Returns the cells of the data rows; the first row is the location.
std::vector<std::vector<std::string>> rows_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with('#')) rows.push_back(cells_of(line));
  }
  rows.erase(rows.begin());
  return rows;
}

TEST(StanCsv, NamesHaveDotsAndTheFirstIndexIsFastest) {
  const std::vector<OutputVariable> variables = {{"a", {}}, {"m", {2, 2}}, {"none", {3, 0}}};
  EXPECT_EQ(column_names(variables),
            (std::vector<std::string>{"a", "m.1.1", "m.2.1", "m.1.2", "m.2.2"}));
  EXPECT_EQ(bracketed_name("m.2.1"), "m[2,1]");
  EXPECT_EQ(bracketed_name("a"), "a");
}

TEST(StanCsv, StartsAsStanDoes) {
  FitResult independent = example_result();
  independent.total = independent.fitted;
  const std::vector<std::string> lines = lines_of(stan_csv(independent));
  EXPECT_EQ(lines[0], "# stan_version_major = 2");
  EXPECT_EQ(lines[3], "# model = my_model_v1_2_model");
  EXPECT_EQ(lines[4], "# start_datetime = 2026-01-02 03:04:05 UTC");
  EXPECT_EQ(lines[5], "# method = variational");
  EXPECT_EQ(lines[7], "#     algorithm = meanfield (Default)");
  EXPECT_TRUE(has_line(lines, "#     iter = 250"));
  EXPECT_TRUE(has_line(lines, "#     output_samples = 40"));
  const auto full = lines_of(stan_csv(example_result(FamilyKind::mean_field)));
  EXPECT_EQ(full[7], "#     algorithm = fullrank");  // the noise has any covariance
  EXPECT_EQ(full[8], "#       fullrank");
}

// cmdstanr splits comments at `=` and reads a key named delta as adapt_delta.
TEST(StanCsv, CommentsHaveOneEqualsSignAndNoBareDelta) {
  for (const FitResult& result : {example_result(), unprotected_example()}) {
    for (const std::string& line : lines_of(stan_csv(result))) {
      if (!line.starts_with('#')) continue;
      EXPECT_LE(std::count(line.begin(), line.end(), '='), 1) << line;
      const std::string key = line.substr(line.find_first_not_of("# "));
      EXPECT_FALSE(key.starts_with("delta")) << line;
    }
  }
}

// Any other comment between the header and the first row breaks cmdstanpy.
TEST(StanCsv, BetweenHeaderAndFirstRowStandOnlyStansOwnTwoLines) {
  const std::vector<std::string> lines = lines_of(stan_csv(example_result()));
  const auto header = static_cast<std::size_t>(header_at(lines));
  EXPECT_EQ(lines[header + 1], "# Stepsize adaptation complete.");
  EXPECT_EQ(lines[header + 2], "# eta = 1");
  for (std::size_t i = header + 3; i < lines.size(); ++i) EXPECT_NE(lines[i][0], '#');
}

TEST(StanCsv, PrivacyLinesStandBeforeTheHeader) {
  std::vector<std::string> lines = lines_of(stan_csv(example_result()));
  lines.resize(static_cast<std::size_t>(header_at(lines)));
  for (const char* line : {"# dp_private = true", "# dp_epsilon = 0.3333333333333333",
                           "# dp_delta = 1e-06", "# dp_adjacency = substitute"}) {
    EXPECT_TRUE(has_line(lines, line)) << line;
  }
}

TEST(StanCsv, StatusAndBothPartsOfTheUncertaintyStandBeforeTheHeader) {
  FitResult result = example_result();
  result.sd_model[1] = 0.75;
  result.sd_privacy[0] = std::nan("");
  std::vector<std::string> lines = lines_of(stan_csv(result));
  lines.resize(static_cast<std::size_t>(header_at(lines)));
  EXPECT_TRUE(has_line(lines, "# dp_status = weak"));
  const auto starts = [&](const std::string& begin) {
    return std::ranges::any_of(lines, [&](const std::string& line) {
      return line.starts_with(begin) &&
             cells_of(line.substr(line.find("= ") + 2)).size() == kExampleColumns;
    });
  };
  EXPECT_TRUE(starts("# dp_sd_model = 0.5,0.75,2.5,"));
  EXPECT_TRUE(starts("# dp_sd_privacy = NaN,1.25,"));
}

TEST(StanCsv, AFitWithoutProtectionIsStamped) {
  const std::string text = stan_csv(unprotected_example());
  EXPECT_TRUE(has_line(lines_of(text), "# dp_private = false"));
  EXPECT_NE(text.find("NOT PRIVATE"), std::string::npos);
  EXPECT_EQ(text.find("dp_epsilon"), std::string::npos);
}

// Guarantee: log_p__ is always NaN.
TEST(StanCsv, LogPIsAlwaysNaNAndTheSeedAlwaysZero) {
  const std::string text = stan_csv(example_result());
  EXPECT_TRUE(has_line(lines_of(text), "#   seed = 0"));
  const auto rows = rows_of(text);
  ASSERT_EQ(rows.size(), 41U);
  for (const auto& row : rows) {
    EXPECT_EQ(row[0], "0");
    EXPECT_EQ(row[1], "NaN");
  }
}

TEST(StanCsv, LogGIsTheLogDensityOfTheRow) {
  const auto rows = rows_of(stan_csv(example_result(FamilyKind::full_rank)));
  // Log density at the location of a Gaussian with the sum of the covariances of the factors
  // (0.5, 0; 0.25, 1.5) and (0.05, 0; 0.03, 0.04).
  const double first = 0.25 + 0.0025, both = 0.125 + 0.0015;
  const double second = 0.0625 + 2.25 + 0.0009 + 0.0016;
  const double determinant = first * second - both * both;
  const double at_location = -std::log(2.0 * std::numbers::pi) - 0.5 * std::log(determinant);
  EXPECT_NEAR(std::stod(rows[0][2]), at_location, 1e-7);
  EXPECT_EQ(rows[1][2], "-0.75");
  EXPECT_EQ(rows[2][2], "-1.75");
}

TEST(StanCsv, ReadsBackAsWrittenToEightFigures) {
  FitResult result = example_result();
  result.draws[2][1] = 1.0 / 3.0;
  result.draws[2][2] = -std::numeric_limits<double>::infinity();
  result.draws[2][3] = std::nan("");
  const StanDraws draws = parse_stan_csv(stan_csv(result), "draws.csv");
  EXPECT_TRUE(draws.is_private);
  EXPECT_EQ(draws.columns, column_names(result.outputs));
  EXPECT_EQ(draws.at_location, result.at_location);
  EXPECT_EQ(draws.draws[2][1], 0.33333333);
  EXPECT_EQ(draws.draws[2][2], result.draws[2][2]);
  EXPECT_TRUE(std::isnan(draws.draws[2][3]));
  ASSERT_EQ(draws.draws.size(), result.draws.size());
  for (std::size_t i = 0; i < draws.draws.size(); ++i) {
    if (i != 2) {
      EXPECT_EQ(draws.draws[i], result.draws[i]);
    }
  }
}

TEST(StanCsv, ChainsAreOfTheKindSample) {
  const std::string text = stan_csv(sampled_example());
  const std::vector<std::string> lines = lines_of(text);
  for (const char* line :
       {"# method = sample (Default)", "#     num_samples = 120", "#     num_warmup = 500",
        "#     thin = 3", "#       delta = 0.9", "#             max_depth = 5",
        "#         metric = diag_e (Default)", "#   seed = 0", "# dp_private = true",
        "# dp_chains = 2", "# Adaptation terminated", "# Step size = 0.5"}) {
    EXPECT_TRUE(has_line(lines, line)) << line;
  }
  const auto header = static_cast<std::size_t>(header_at(lines));
  EXPECT_TRUE(lines[header].starts_with(
      "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,alpha,beta.1"));
  EXPECT_EQ(lines[header + 1], "# Adaptation terminated");
  EXPECT_EQ(lines[header + 3], "# Diagonal elements of inverse mass matrix:");
  EXPECT_EQ(cells_of(lines[header + 4]).size(), 2U);
  const auto rows = rows_of(text);
  ASSERT_EQ(rows.size(), 40U);
  EXPECT_EQ(std::vector<std::string>(rows[3].begin(), rows[3].begin() + 8),
            (std::vector<std::string>{"-3.25", "0.875", "0.5", "4", "4", "1", "5", "3.125"}));
}

TEST(StanCsv, ChainsReadBackAsWritten) {
  const FitResult result = sampled_example();
  const StanDraws draws = parse_stan_csv(stan_csv(result), "draws.csv");
  EXPECT_EQ(draws.chains, 2U);
  EXPECT_EQ(draws.columns, column_names(result.outputs));
  EXPECT_EQ(draws.draws, result.draws);
  EXPECT_TRUE(draws.at_location.empty());
  EXPECT_EQ(parse_stan_csv(stan_csv(example_result()), "draws.csv").chains, 0U);
}

TEST(StanCsv, ChainsThatAreNotEquallyLongAreRefused) {
  const std::string text = stan_csv(sampled_example());
  const auto with_count = [&](const std::string& count) {
    std::string changed = text;
    const std::string line = "# dp_chains = 2";
    return changed.replace(changed.find(line), line.size(), "# dp_chains = " + count);
  };
  EXPECT_EQ(parse_stan_csv(with_count("4"), "draws.csv").chains, 4U);
  for (const char* count : {"3", "0", "-1", "2.5", "", "x", "99999999999999999999999"}) {
    EXPECT_THROW(parse_stan_csv(with_count(count), "draws.csv"), InputError) << count;
  }
}

}  // namespace
}  // namespace dpvi
