#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <dpvi/experiment/published_file.hpp>
#include <dpvi/experiment/uci_tables.hpp>
#include <tests/experiment/uci_data.hpp>
#include <tests/support/error_text.hpp>

namespace dpvi {
namespace {

constexpr const char* kFewAbalones =
    "M,0.4,0.3,0.1,0.5,0.2,0.1,0.1,15\n"
    "I,0.3,0.2,0.1,0.2,0.1,0.05,0.07,9\n"
    "F,0.5,0.4,0.1,0.6,0.3,0.2,0.2,10\n"
    "I,0.2,0.1,0.0,0.1,0.1,0.05,0.05,4\n"
    "M,0.4,0.3,0.2,0.5,0.2,0.1,0.1,11\n";

constexpr const char* kFewAdults =
    "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, "
    "2174, 0, 40, United-States, <=50K\n"
    "50, ?, 83311, Bachelors, 12, Divorced, Sales, Husband, White, Female, 0, 7, 13, Cuba, "
    ">50K\n\n";
constexpr const char* kFewTestAdults =
    "|1x3 Cross validator\n"
    "25, Private, 226802, 11th, 7, Never-married, Sales, Own-child, Black, Male, 0, 0, 40, "
    "United-States, >50K.\n";

double number_in(const ExperimentTable& table, std::size_t row, std::size_t column) {
  return std::stod(table.rows[row][column]);
}

void expect_standardised(const ExperimentTable& table, std::size_t column) {
  const auto count = static_cast<double>(table.rows.size());
  double mean = 0.0, square = 0.0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    mean += number_in(table, row, column) / count;
    square += std::pow(number_in(table, row, column), 2) / count;
  }
  EXPECT_NEAR(mean, 0.0, 1e-7) << table.header[column];
  EXPECT_NEAR(square, 1.0, 1e-7) << table.header[column];
}

TEST(AbaloneTable, TakesTheFirstFourFifthsForTraining) {
  const ExperimentTable table = abalone_table(kFewAbalones);
  EXPECT_EQ(table.rows.size(), 5u);
  EXPECT_EQ(table.training_rows, 4u);
}

TEST(AbaloneTable, OutcomeIsTenRingsOrMore) {
  const ExperimentTable table = abalone_table(kFewAbalones);
  std::string outcomes;
  for (const auto& row : table.rows) outcomes += row.back();
  EXPECT_EQ(outcomes, "10101");
}

TEST(AbaloneTable, SexIsCodedInfantFemaleMaleAndStandardised) {
  const ExperimentTable table = abalone_table(kFewAbalones);
  // The values 2, 0, 1, 0, 2 have mean 1 and standard deviation sqrt(0.8).
  const double expected[] = {1.0, -1.0, 0.0, -1.0, 1.0};
  for (std::size_t row = 0; row < 5; ++row) {
    EXPECT_NEAR(number_in(table, row, 0), expected[row] / std::sqrt(0.8), 1e-8);
  }
  for (std::size_t column = 0; column < 8; ++column) expect_standardised(table, column);
}

TEST(AbaloneTable, StandardisedColumnsAreDeclaredSo) {
  const ExperimentTable table = abalone_table(kFewAbalones);
  const ColumnSchema* declared = table.schema.find_column("shell_weight");
  ASSERT_NE(declared, nullptr);
  EXPECT_EQ(declared->mean, 0.0);
  EXPECT_EQ(declared->sd, 1.0);
  EXPECT_EQ(table.schema.bindings.at("x").columns.size(), 8u);
}

TEST(AdultTable, TestRowsFollowAndTheirFullStopsDoNotMatter) {
  const ExperimentTable table = adult_label_coded(kFewAdults, kFewTestAdults);
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].back() + table.rows[1].back() + table.rows[2].back(), "011");
}

TEST(AdultTable, TextsAreCodedInAlphabeticalOrderWithTheQuestionMarkAmongThem) {
  const ExperimentTable table = adult_label_coded(kFewAdults, kFewTestAdults);
  // State-gov, ? and Private are coded as 2, 0 and 1.
  const double expected[] = {1.0, -1.0, 0.0};
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_NEAR(number_in(table, row, 1), expected[row] * std::sqrt(1.5), 1e-8);
  }
  for (std::size_t column = 0; column < 14; ++column) expect_standardised(table, column);
}

TEST(AdultTable, OneHotKeepsTextsAsLevels) {
  const ExperimentTable table = adult_one_hot(kFewAdults, kFewTestAdults);
  EXPECT_EQ(table.rows[1][1], "?");
  const ColumnSchema* declared = table.schema.find_column("workclass");
  ASSERT_NE(declared, nullptr);
  EXPECT_EQ(declared->levels, (std::vector<std::string>{"?", "Private", "State-gov"}));
  EXPECT_EQ(declared->coding, Coding::one_hot);
  expect_standardised(table, 0);
}

TEST(UciTables, RowsAndNumbersThatArePublishedOtherwiseAreRefused) {
  EXPECT_NE(error_text([] { abalone_table("M,1,2\n"); }).find("DP370"), std::string::npos);
  EXPECT_NE(error_text([] { abalone_table("M,1,2,3,4,5,six,7,8\n"); }).find("'six'"),
            std::string::npos);
}

TEST(TableRows, GivesTrainingRowsThenTestRowsAsAFileWould) {
  const ExperimentTable table = abalone_table(kFewAbalones);
  TableRows training = training_rows(table), test = test_rows(table);
  int count = 0;
  while (training.next_row()) ++count;
  EXPECT_EQ(count, 4);
  ASSERT_TRUE(test.next_row());
  EXPECT_EQ(test.cells().size(), 9u);
  EXPECT_EQ(test.cells().back(), "1");
  EXPECT_FALSE(test.next_row());
}

class PublishedTables : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(uci_folder() / "adult.test")) {
      GTEST_SKIP() << "no UCI files in " << uci_folder() << " (DPVI_DATA)";
    }
  }
};

TEST_F(PublishedTables, HaveAsManyRowsAsThePaperSays) {
  const ExperimentTable abalone = abalone_table(read_published_file(uci_folder(), kAbaloneData));
  EXPECT_EQ(abalone.rows.size(), 4177u);
  EXPECT_EQ(abalone.training_rows, 3341u);
  const std::string data = read_published_file(uci_folder(), kAdultData);
  const std::string test = read_published_file(uci_folder(), kAdultTest);
  const ExperimentTable adult = adult_label_coded(data, test);
  EXPECT_EQ(adult.rows.size(), 48842u);
  EXPECT_EQ(adult.training_rows, 39073u);
  std::size_t columns = 6;
  for (const ColumnSchema& column : adult_one_hot(data, test).schema.columns) {
    columns += column.levels.size();
  }
  EXPECT_EQ(columns, 108u);
}

TEST(PublishedFile, OneThatIsMissingIsToldWithWherePeopleGetIt) {
  const std::string text = error_text<MissingInputError>(
      [] { read_published_file(tests_folder() / "experiment", kAbaloneData); });
  EXPECT_NE(text.find("UCI Machine Learning Repository"), std::string::npos) << text;
  EXPECT_NE(text.find("abalone.data"), std::string::npos) << text;
}

TEST(PublishedFile, OneWithOtherBytesIsRefused) {
  const PublishedFile other{"uci_data.hpp", kAbaloneData.sha256, kAbaloneData.page};
  const std::string text =
      error_text([&] { read_published_file(tests_folder() / "experiment", other); });
  EXPECT_NE(text.find("DP370"), std::string::npos) << text;
  EXPECT_NE(text.find(std::string(kAbaloneData.sha256)), std::string::npos) << text;
}

}  // namespace
}  // namespace dpvi
