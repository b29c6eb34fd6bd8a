#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/table_inspection.hpp>
#include <dpvi/data/text_columns.hpp>
#include <tests/support/data_variables.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

constexpr const char* kSchema = R"(
[table]
missing = ["", "NA", "-99"]
[columns.a]
lower = -5
upper = 5
[columns.b]
if_missing = 1
[columns.kind]
levels = ["x", "y", "z"]
[columns.other]
levels = ["x", "y"]
if_missing = "y"
[columns.n]
type = "int"
lower = 0
[model]
m = ["a", "kind", "other", "n"]
)";

std::vector<DataVariable> program() {
  DataVariable b = record_real("b");
  b.lower = DeclaredNumber::number(0);
  return {public_size("K"), record_matrix("m", "K"), b, record_binary("n")};
}

std::string random_table(std::mt19937_64& random) {
  const char* cells[] = {"0",   "1",   "2",     "-3",   "7.5", "x",   "y",     "w",        "NA", "",
                         "-99", "NaN", "1e400", "-inf", " 1 ", "0.5", "\"x\"", "\xff\xfe", "1,5"};
  std::string text = "a,b,kind,other,n\n";
  for (int row = 0; row < 40; ++row) {
    for (int column = 0; column < 5; ++column) {
      const std::string good = column == 2 || column == 3 ? "x" : "1";
      const std::string cell = random() % 2 == 0 ? good : cells[random() % std::size(cells)];
      text += (column > 0 ? "," : "") +
              (cell.find(',') == std::string::npos ? cell : "\"" + cell + "\"");
    }
    text += '\n';
  }
  return text;
}

TableInspection inspect(CsvReader& csv, const Binding& binding) {
  TableInspector inspector(binding);
  TextColumns source(csv, column_request(binding, UnlistedTexts::kept));
  while (const TypedBlock* block = source.next_block()) inspector.add(*block);
  return inspector.result();
}

TEST(TableInspection, RowsOfZeroAreThoseThatAFitDoesNotUse) {
  const TemporaryFolder folder;
  std::mt19937_64 random(5);
  std::uint64_t usable = 0;
  for (int round = 0; round < 50; ++round) {
    const std::string path = folder.write("d.csv", random_table(random));
    BindingRequest request;
    request.variables = program();
    request.schema = parse_schema(kSchema, "s.toml");
    CsvReader csv(path), again(path);
    request.header = csv.header();
    const Binding binding = bind_columns(request);
    std::uint64_t zero = 0;
    TextColumns source(csv, column_request(binding));
    for (const auto& record : records_of(read_records(source, binding))) zero += record ? 0 : 1;
    const TableInspection found = inspect(again, binding);
    ASSERT_EQ(found.rows, 40u);
    ASSERT_EQ(found.rows_of_zero, zero);
    for (const ColumnInspection& column : found.columns) {
      const std::uint64_t spoiled =
          column.missing + column.unlisted + column.unparsable + column.out_of_range;
      ASSERT_EQ(column.usable + spoiled, 40u) << column.name;
    }
    usable += 40 - zero;
  }
  EXPECT_GT(usable, 20u);
}

TableInspection inspect_column(const std::string& schema, const std::string& cells) {
  const TemporaryFolder folder;
  CsvReader csv(folder.write("d.csv", "x\n" + cells));
  BindingRequest request;
  request.schema = parse_schema(schema, "s.toml");
  request.header = csv.header();
  return inspect(csv, columns_of_schema(request));
}

TEST(TableInspection, MomentsAreOfNumbersAsWritten) {
  const ColumnInspection x =
      inspect_column("[columns.x]\nupper = 3\n", "1\n2\n9\nNA\nwat\n1e400\n").columns.at(0);
  EXPECT_EQ(x.minimum, 1);
  EXPECT_EQ(x.maximum, 9);
  EXPECT_DOUBLE_EQ(x.mean, 4);
  EXPECT_DOUBLE_EQ(x.sd, std::sqrt(19.0));
  EXPECT_EQ(x.clamped, 2u);
  EXPECT_TRUE(std::isnan(inspect_column("", "NA\n").columns.at(0).mean));
  EXPECT_TRUE(std::isnan(inspect_column("", "4\n").columns.at(0).sd));
}

TEST(TableInspection, UnlistedLevelsAreCountedByText) {
  const std::string cells = "w\nx\nv\nw\n";
  const ColumnInspection x = inspect_column("[columns.x]\nlevels = ['x']\n", cells).columns.at(0);
  EXPECT_EQ(x.unlisted, 3u);
  EXPECT_EQ(x.unlisted_levels, (decltype(x.unlisted_levels){{"v", 1}, {"w", 2}}));
  EXPECT_EQ(x.level_counts, (std::vector<std::uint64_t>{1}));
}

TEST(TableInspection, AColumnIsUselessWithoutAUsableCell) {
  EXPECT_EQ(inspect_column("", "NA\n4\n").first_unusable_column(), nullptr);
  EXPECT_EQ(inspect_column("", "NA\nwat\n").first_unusable_column()->name, "x");
  EXPECT_EQ(inspect_column("[columns.x]\nif_missing = 2\n", "NA\n").first_unusable_column()->name,
            "x");
  EXPECT_EQ(inspect_column("[columns.x]\nlevels = ['a']\n", "b\n").first_unusable_column()->name,
            "x");
}

TEST(TableInspection, WithoutAProgramTheSchemaNamesTheColumns) {
  BindingRequest request;
  request.header = {"a", "b", "c"};
  request.table_file = "d.csv";
  const auto names = [&](const std::string& schema) {
    request.schema = parse_schema(schema, "s.toml");
    std::vector<std::string> list;
    for (const BoundColumn& column : columns_of_schema(request).columns)
      list.push_back(column.name);
    return list;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("[columns.c]\n[model]\ny = 'a'\nx = ['c']\n"), (Names{"a", "c"}));
  EXPECT_EQ(names("[table]\nrows = 3\n"), (Names{"a", "b", "c"}));
  EXPECT_NE(error_text([&] { names("[model]\ny = 'd'\n"); }).find("DP321"), std::string::npos);
}

}  // namespace
}  // namespace dpvi
