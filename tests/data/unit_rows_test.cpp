#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/table_inspection.hpp>
#include <dpvi/data/text_columns.hpp>
#include <dpvi/data/unit_ids.hpp>
#include <dpvi/data/unit_rows.hpp>
#include <tests/support/data_variables.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

using Texts = std::vector<std::string>;

// Returns the unit of each row, -1 for a missing id, or -2 for a row beyond the limit.
std::vector<int> taken(std::uint32_t max_rows, const Texts& ids,
                       const Texts& missing = {"", "NA"}) {
  UnitIds numbers(missing);
  UnitRows units({"id", 1, max_rows});
  std::vector<int> result;
  for (const std::string& id : ids) {
    const std::uint32_t unit = numbers.number_of(id);
    const RowStatus status = units.take(unit);
    result.push_back(status == RowStatus::stays        ? static_cast<int>(unit)
                     : status == RowStatus::without_id ? -1
                                                       : -2);
  }
  return result;
}

TEST(UnitRows, TheFirstRowsOfAUnitStay) {
  EXPECT_EQ(taken(2, {"a", "b", "a", "a", "c", "b", "b", "a"}),
            (std::vector<int>{0, 1, 0, -2, 2, 1, -2, -2}));
  EXPECT_EQ(taken(1, {"a", "b", "a"}), (std::vector<int>{0, 1, -2}));
}

TEST(UnitRows, IdsAreComparedByteForByte) {
  const std::string with_zero("a\0b", 3), with_other("a\0c", 3);
  EXPECT_EQ(taken(9, {"1", "01", "1.0", " 1", "1", "A", "a", "\xff", "\xfe", with_zero, with_other,
                      with_zero}),
            (std::vector<int>{0, 1, 2, 3, 0, 4, 5, 6, 7, 8, 9, 8}));
}

TEST(UnitRows, ARowWithoutAnIdIsLeftOut) {
  EXPECT_EQ(taken(9, {"", "  ", "NA", " NA ", "na", "-9"}),
            (std::vector<int>{-1, -1, -1, -1, 0, 1}));
  EXPECT_EQ(taken(9, {"", "NA", "-9"}, {"-9"}), (std::vector<int>{-1, 0, -1}));
}

constexpr const char* kSchema = "[table]\nunit = \"id\"\nmax_rows_per_unit = 2\n";
// Unit a keeps an unusable row, which displaces a usable one.
constexpr const char* kTable = "y,id\n1,a\n2,b\nwat,a\n3,a\n4,\n5,b\n6,c\n7,NA\n\"8\",\"b\"\n";

BindingRequest request_for(const CsvReader& csv) {
  BindingRequest request;
  request.variables = {record_real("y"), public_size("N")};
  request.schema = parse_schema(kSchema, "s.toml");
  request.header = csv.header();
  return request;
}

TEST(UnitRows, AreGatheredIntoRecords) {
  const TemporaryFolder folder;
  CsvReader csv(folder.write("d.csv", kTable));
  const Binding binding = bind_columns(request_for(csv));
  TextColumns source(csv, column_request(binding));
  const RecordTable table = read_records(source, binding).gathered();
  std::vector<std::vector<double>> units;
  std::vector<double> reals(RecordTable::kLanes);
  for (std::uint64_t unit = 0; unit < table.record_count(); ++unit) {
    units.emplace_back();
    const auto [first, end] = table.rows_of(unit);
    for (std::uint64_t row = first; row < end; ++row) {
      const std::uint32_t usable = table.load_lanes({&row, 1}, reals, {});
      units.back().push_back(usable == 0 ? -1.0 : reals[0]);
    }
  }
  EXPECT_EQ(units, (std::vector<std::vector<double>>{{1.0, -1.0}, {2.0, 5.0}, {6.0}}));
}

TEST(UnitRows, ACuratorIsToldOfThoseLeftOut) {
  const TemporaryFolder folder;
  for (const bool by_program : {true, false}) {
    CsvReader csv(folder.write("d.csv", kTable));
    const BindingRequest request = request_for(csv);
    const Binding binding = by_program ? bind_columns(request) : columns_of_schema(request);
    TableInspector inspector(binding);
    TextColumns source(csv, column_request(binding));
    while (const TypedBlock* block = source.next_block()) inspector.add(*block);
    const TableInspection found = inspector.result();
    ASSERT_EQ(found.columns.size(), 1u);
    EXPECT_EQ(found.columns[0].name, "y");
    EXPECT_EQ(found.columns[0].usable, 4u);
    EXPECT_EQ(found.columns[0].unparsable, 1u);
    EXPECT_EQ(found.rows, 9u);
    EXPECT_EQ(found.rows_of_zero, 5u);
    ASSERT_TRUE(found.unit.has_value());
    EXPECT_EQ(found.unit->column, "id");
    EXPECT_EQ(found.unit->units, 3u);
    EXPECT_EQ(found.unit->rows_without_id, 2u);
    EXPECT_EQ(found.unit->rows_beyond_limit, 2u);
  }
}

}  // namespace
}  // namespace dpvi
