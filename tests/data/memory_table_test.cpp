#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/data/column_stream.hpp>
#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/memory_table.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/stream_columns.hpp>
#include <dpvi/data/text_columns.hpp>
#include <tests/support/data_variables.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

using Records = std::vector<std::optional<PlainRecord>>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Binding bind_header(const std::vector<std::string>& header, std::vector<DataVariable> variables,
                    const std::string& schema) {
  BindingRequest request;
  request.variables = std::move(variables);
  request.schema = parse_schema(schema, "s.toml");
  request.header = header;
  return bind_columns(request);
}

RecordTable read_memory(const MemoryTable& table, std::vector<DataVariable> variables,
                        const std::string& schema = "") {
  const Binding binding = bind_header(table.header(), std::move(variables), schema);
  OnePiece piece(table);
  StreamColumns source(piece, column_request(binding));
  return read_records(source, binding);
}

TEST(MemoryTable, GivesTheRecordsOfTheSameCsvFile) {
  const std::vector<double> age = {30, kNaN, 200, 41.5, 30, -99};
  const std::vector<std::int64_t> deaths = {0, 1, 1, 7, -99, 0};
  const std::vector<std::int32_t> ward = {1, 0, 2, 0, 1, -1};
  const MemoryTable table(
      {{"age", age}, {"deaths", deaths}, {"ward", CodedTexts{{"a", "b", "z"}, ward}}});
  const std::string schema =
      "[table]\nmissing = [\"\", \"-99\"]\n[columns.age]\nupper = 100\nif_missing = 50\n"
      "[columns.deaths]\ntype = \"int\"\nif_missing = 1\n"
      "[columns.ward]\nlevels = [\"a\", \"b\"]\n[model]\ng = \"ward\"\n";
  const std::vector<DataVariable> variables = {record_real("age"), record_binary("deaths"),
                                               record_index("g", "J"), public_size("J")};
  const TemporaryFolder folder;
  CsvReader csv(folder.write("d.csv",
                             "age,deaths,ward\n30,0,b\nNaN,1,a\n200,1,z\n41.5,7,a\n30,-99,b\n"
                             "-99,0,\n"));
  const Binding binding = bind_header(csv.header(), variables, schema);
  TextColumns source(csv, column_request(binding));
  const Records from_file = records_of(read_records(source, binding));
  EXPECT_EQ(records_of(read_memory(table, variables, schema)), from_file);
  EXPECT_EQ(from_file, (Records{PlainRecord{{30}, {0, 2}}, PlainRecord{{50}, {1, 1}}, std::nullopt,
                                std::nullopt, PlainRecord{{30}, {1, 2}}, std::nullopt}));
}

TEST(MemoryTable, NumbersMayNameLevelsAndTextsMaySpellNumbers) {
  const std::vector<std::int64_t> whole = {2, 1, 3};
  const std::vector<double> real = {1, 2.5, kNaN};
  const std::vector<std::int32_t> codes = {0, 1, 7};
  const std::vector<std::string_view> views = {"1.5", "wat", {}};
  const MemoryTable table(
      {{"w", whole}, {"r", real}, {"t", CodedTexts{{"1.5", "wat"}, codes}}, {"v", Texts(views)}});
  const auto records = [&](const std::string& column, const std::string& schema) {
    const bool levels = !schema.empty();
    std::vector<DataVariable> variables = {levels ? record_index("v", "J") : record_real("v")};
    if (levels) variables.push_back(public_size("J"));
    return records_of(read_memory(table, variables, schema + "[model]\nv = \"" + column + "\"\n"));
  };
  EXPECT_EQ(records("w", "[columns.w]\nlevels = [\"1\", \"2\"]\n"),
            (Records{PlainRecord{{}, {2}}, PlainRecord{{}, {1}}, std::nullopt}));
  EXPECT_EQ(records("r", "[columns.r]\nlevels = [\"2.5\", \"1\"]\n"),
            (Records{PlainRecord{{}, {2}}, PlainRecord{{}, {1}}, std::nullopt}));
  EXPECT_EQ(records("v", ""), records("t", ""));
  EXPECT_EQ(records("t", ""), (Records{PlainRecord{{1.5}, {}}, std::nullopt, std::nullopt}));
}

TEST(MemoryTable, MarkedCellsAreMissing) {
  const std::vector<std::int64_t> y = {1, 0, 1};
  const std::vector<std::uint8_t> missing = {0, 1, 0};
  const MemoryTable table({{"y", y, missing}});
  EXPECT_EQ(records_of(read_memory(table, {record_binary("y")})),
            (Records{PlainRecord{{}, {1}}, std::nullopt, PlainRecord{{}, {1}}}));
  EXPECT_EQ(
      records_of(read_memory(table, {record_binary("y")}, "[columns.y]\nif_missing = 0\n"))[1],
      (PlainRecord{{}, {0}}));
}

TEST(MemoryTable, IdsOfAnyTypeNameUnits) {
  const std::vector<double> y = {1, 2, 3, 4, 5};
  const std::vector<std::int64_t> whole = {7, 8, 7, 7, 8};
  const std::vector<double> real = {7.5, kNaN, 7.5, 9, 7.5};
  const std::vector<std::int32_t> codes = {1, 0, 1, 0, -1};
  const MemoryTable table(
      {{"y", y}, {"w", whole}, {"r", real}, {"t", CodedTexts{{"ann", "bob"}, codes}}});
  const auto rows_of_units = [&](const std::string& unit) {
    const RecordTable records =
        read_memory(table, {record_real("y")},
                    "[table]\nunit = \"" + unit + "\"\nmax_rows_per_unit = 2\n")
            .gathered();
    std::vector<std::uint64_t> counts;
    for (std::uint64_t i = 0; i < records.record_count(); ++i) {
      counts.push_back(records.rows_of(i).end - records.rows_of(i).first);
    }
    return counts;
  };
  EXPECT_EQ(rows_of_units("w"), (std::vector<std::uint64_t>{2, 2}));
  EXPECT_EQ(rows_of_units("r"), (std::vector<std::uint64_t>{2, 1}));
  EXPECT_EQ(rows_of_units("t"), (std::vector<std::uint64_t>{2, 2}));
}

TEST(MemoryTable, TablesOfManyBlocksAreReadWhole) {
  std::vector<double> x(20001);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  const Records records = records_of(read_memory(MemoryTable({{"x", x}}), {record_real("x")}));
  ASSERT_EQ(records.size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(records[i]->reals[0], x[i]);
}

TEST(MemoryTable, EmptyTablesHaveNoRecords) {
  EXPECT_EQ(read_memory(MemoryTable({{"x", Numbers{}}}), {record_real("x")}).record_count(), 0u);
}

TEST(MemoryTable, MalformedStructureIsRefused) {
  const std::vector<double> two = {1, 2}, three = {1, 2, 3};
  EXPECT_EQ(error_text([&] {
              MemoryTable({{"x", two}, {"x", three}});
            }).substr(0, 12),
            "error[DP324]");
  EXPECT_EQ(error_text([&] { MemoryTable({{"", two}}); }).substr(0, 12), "error[DP324]");
  const MemoryTable ragged({{"x", two}, {"y", three}});
  EXPECT_EQ(error_text([&] { read_memory(ragged, {record_real("x")}); }),
            "error[DP322] column 'y' or its list of missing cells has another length than the "
            "other columns. Give every column one cell per row.");
}

}  // namespace
}  // namespace dpvi
