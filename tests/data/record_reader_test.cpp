#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/text_columns.hpp>
#include <tests/support/data_variables.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

using Records = std::vector<std::optional<PlainRecord>>;

Records read(std::vector<DataVariable> variables, const std::string& schema,
             const std::string& csv_text) {
  const TemporaryFolder folder;
  CsvReader csv(folder.write("d.csv", csv_text));
  BindingRequest request;
  request.variables = std::move(variables);
  request.schema = parse_schema(schema, "s.toml");
  request.header = csv.header();
  request.table_file = csv.path();
  const Binding binding = bind_columns(request);
  TextColumns source(csv, column_request(binding));
  return records_of(read_records(source, binding));
}

// Returns the only real of each record.
std::vector<std::optional<double>> reals(const std::string& schema, const std::string& cells) {
  std::vector<std::optional<double>> values;
  for (const auto& record : read({record_real("x")}, schema, "x\n" + cells)) {
    values.push_back(record ? std::optional(record->reals[0]) : std::nullopt);
  }
  return values;
}

std::vector<std::optional<int>> integers(const DataVariable& variable, const std::string& schema,
                                         const std::string& cells) {
  std::vector<std::optional<int>> values;
  for (const auto& record : read({variable}, schema, variable.name + "\n" + cells)) {
    values.push_back(record ? std::optional(record->integers[0]) : std::nullopt);
  }
  return values;
}

using Reals = std::vector<std::optional<double>>;
using Integers = std::vector<std::optional<int>>;
constexpr auto kDropped = std::nullopt;

TEST(RecordReader, RealsOutsideDeclaredBoundsAreClamped) {
  EXPECT_EQ(reals("[columns.x]\nlower = 0\nupper = 10\n", "-1\n5\n11\n1e400\n-inf\n"),
            (Reals{0, 5, 10, 10, 0}));
  DataVariable positive = record_real("x");
  positive.lower = DeclaredNumber::number(0);
  EXPECT_EQ(read({positive}, "", "x\n-3\n")[0]->reals[0], 0);
}

TEST(RecordReader, InfiniteRealsWithoutBoundsAreDropped) {
  EXPECT_EQ(reals("", "1e400\n-Inf\n1\n"), (Reals{kDropped, kDropped, 1}));
}

TEST(RecordReader, MissingCellsFollowTheirRule) {
  EXPECT_EQ(reals("", "NA\n\"\"\nNaN\n nan \n2\n"),
            (Reals{kDropped, kDropped, kDropped, kDropped, 2}));
  EXPECT_EQ(reals("[columns.x]\nif_missing = 7\n", "NA\n\"\"\nNaN\n2\n"), (Reals{7, 7, 7, 2}));
  EXPECT_EQ(reals("[table]\nmissing = [\"-9\"]\n[columns.x]\nif_missing = 7\n", "-9\nNA\n2\n"),
            (Reals{7, kDropped, 2}));
}

TEST(RecordReader, CellsThatCannotBeParsedDropTheirRowWhateverTheMissingRule) {
  EXPECT_EQ(reals("[columns.x]\nif_missing = 7\n", "abc\n\"1,5\"\n\xff\xfe\n1e\n--1\n2\n"),
            (Reals{kDropped, kDropped, kDropped, kDropped, kDropped, 2}));
}

TEST(RecordReader, StandardisingUsesDeclaredFactsAfterClamping) {
  EXPECT_EQ(
      reals("[columns.x]\nmean = 10\nsd = 4\nstandardise = true\nupper = 20\nif_missing = 8\n",
            "12\n30\nNA\n"),
      (Reals{0.5, 2.5, -0.5}));
}

TEST(RecordReader, IntegersOutsideTheirRangeDropTheirRow) {
  EXPECT_EQ(integers(record_binary("y"), "", "0\n1\n2\n-1\n0.5\n1.0\n1e0\n1e400\nNaN\n"),
            (Integers{0, 1, kDropped, kDropped, kDropped, 1, 1, kDropped, kDropped}));
  EXPECT_EQ(integers(record_int("y"), "[columns.y]\nlower = 2\nupper = 4\n", "1\n2\n4\n5\n"),
            (Integers{kDropped, 2, 4, kDropped}));
  EXPECT_EQ(integers(record_int("y"), "", "2147483647\n2147483648\n-99999999999\n"),
            (Integers{2147483647, kDropped, kDropped}));
  EXPECT_EQ(integers(record_int("y"), "[columns.y]\ntype = \"int\"\nif_missing = 3\n", "NA\nx\n"),
            (Integers{3, kDropped}));
}

TEST(RecordReader, LevelsBecomeCodesAndUnlistedOnesCountAsMissing) {
  const DataVariable ward = record_index("ward", "J");
  const std::string schema = "[columns.ward]\nlevels = [\"b\", \"a, old\", \"c\"]\n";
  std::vector<DataVariable> variables = {ward, public_size("J")};
  const auto codes = [&](const std::string& rule) {
    Integers values;
    for (const auto& record :
         read(variables, schema + rule, "ward\nc\n\"a, old\"\nb\nz\nNA\n c\n")) {
      values.push_back(record ? std::optional(record->integers[0]) : std::nullopt);
    }
    return values;
  };
  EXPECT_EQ(codes(""), (Integers{3, 2, 1, kDropped, kDropped, kDropped}));
  EXPECT_EQ(codes("if_missing = \"c\"\n"), (Integers{3, 2, 1, 3, 3, 3}));
}

TEST(RecordReader, DummiesLeaveOutTheFirstLevelAndOneHotDoesNot) {
  const std::vector<DataVariable> variables = {record_matrix("x", "K"), public_size("K")};
  const std::string csv = "ward\na\nb\nc\nz\n";
  const std::string schema = "[columns.ward]\nlevels = [\"a\", \"b\", \"c\"]\n";
  EXPECT_EQ(read(variables, schema + "[model]\nx = [\"ward\"]\n", csv),
            (Records{PlainRecord{{0, 0}, {}}, PlainRecord{{1, 0}, {}}, PlainRecord{{0, 1}, {}},
                     std::nullopt}));
  EXPECT_EQ(read(variables, schema + "coding = \"one-hot\"\n[model]\nx = [\"ward\"]\n", csv)[2],
            (PlainRecord{{0, 0, 1}, {}}));
}

TEST(RecordReader, OneBadCellDropsTheWholeRowAndNoOther) {
  EXPECT_EQ(read({record_real("a"), record_real("b"), record_int("c")}, "",
                 "c,b,a,unused\n1,2,3,x\n1,bad,3,x\n4,5,6,\n"),
            (Records{PlainRecord{{3, 2}, {1}}, std::nullopt, PlainRecord{{6, 5}, {4}}}));
}

TEST(RecordReader, HeaderAloneGivesATableWithoutRecords) {
  EXPECT_TRUE(read({record_real("x")}, "", "x\n").empty());
}

// Guarantee: cell contents never cause an exception, output or a count; an unusable row contributes
// zero.
TEST(RecordReader, WhatCellsContainNeverThrowsPrintsOrCounts) {
  const std::vector<std::string> hostile = {"1e400",
                                            "-1e400",
                                            "1e-400",
                                            "NaN",
                                            "inf",
                                            "\xff\xfe\x80",
                                            "\"\"\"\"",
                                            "\"a,b\n\"",
                                            "",
                                            " ",
                                            std::string(100000, '9'),
                                            std::string(100000, 'x'),
                                            "0x1p3",
                                            "1;2",
                                            "=1+1",
                                            "\xEF\xBB\xBF"};
  const std::string schema =
      "[columns.x]\nlower = 0\nupper = 1\n[columns.ward]\nlevels = [\"a\"]\n"
      "[model]\ng = \"ward\"\n";
  const std::vector<DataVariable> variables = {record_real("x"), record_int("n"),
                                               record_index("g", "J"), public_size("J")};
  for (const std::string& cell : hostile) {
    for (std::size_t place = 0; place < 3; ++place) {
      std::vector<std::string> row = {"0.5", "1", "a"};
      row[place] = cell;
      testing::internal::CaptureStdout();
      testing::internal::CaptureStderr();
      const Records records =
          read(variables, schema,
               "x,n,ward\n0.5,1,a\n" + row[0] + "," + row[1] + "," + row[2] + "\n0.25,2,a\n");
      EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
      EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
      ASSERT_EQ(records.size(), 3u);
      EXPECT_EQ(records[0], (PlainRecord{{0.5}, {1, 1}}));
      EXPECT_EQ(records[2], (PlainRecord{{0.25}, {2, 1}}));
    }
  }
}

TEST(RecordReader, LargeTablesAreReadWhole) {
  constexpr int kRows = 100000;
  std::string csv = "x.1,x.2,y\n";
  for (int i = 0; i < kRows; ++i) {
    csv += std::to_string(i) + "." + std::to_string(i % 10) + ",\"-1\"," + std::to_string(i % 2) +
           "\n";
  }
  const Records records =
      read({record_matrix("x", "K"), record_binary("y"), public_size("K")}, "", csv);
  ASSERT_EQ(records.size(), static_cast<std::size_t>(kRows));
  for (int i = 0; i < kRows; i += 997) {
    const auto row = static_cast<std::size_t>(i);
    EXPECT_EQ(records[row]->reals[0], std::stod(std::to_string(i) + "." + std::to_string(i % 10)));
    EXPECT_EQ(records[row]->integers[0], i % 2);
  }
}

}  // namespace
}  // namespace dpvi
