#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <dpvi/data/column_rule.hpp>
#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/record_store.hpp>
#include <dpvi/data/schema.hpp>
#include <dpvi/data/store_columns.hpp>
#include <dpvi/data/store_writer.hpp>
#include <dpvi/data/text_columns.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

constexpr const char* kSchema = R"([columns.ward]
type = "category"
levels = ["north", "south"]
[columns.visits]
type = "int"
lower = -2
upper = 9
[columns.far]
type = "int"
lower = 0
upper = 70000
)";

constexpr const char* kTable =
    "ward,x,visits,far\n"
    "north,1.5,-2,70000\nsouth,-0.0,9,0\nwest,1e400,10,70001\n,NA,,\nsouth,\xFF,1.5,-0\n"
    "\"\",nan,-0,1\nNA,-1e-310,x,x\n";

class RecordStoreTest : public testing::Test {
 protected:
  ColumnRequest request() const {
    ColumnRequest all;
    all.missing = schema_.missing;
    const std::string names[] = {"ward", "x", "visits", "far"};
    for (std::size_t i = 0; i < 4; ++i) all.columns.push_back(bound_column(names[i], i, schema_));
    return all;
  }

  std::vector<StoredColumn> columns() const {
    std::vector<StoredColumn> columns;
    for (const BoundColumn& column : request().columns) {
      columns.push_back(stored_column(column.name, schema_));
    }
    return columns;
  }

  std::string packed(const std::string& name, int repeats = 1) const {
    const std::string file = folder_.path_of(name);
    std::string text(kTable);
    const std::string rows = text.substr(text.find('\n') + 1);
    for (int i = 1; i < repeats; ++i) text += rows;
    CsvReader csv(folder_.write("t.csv", text));
    TextColumns source(csv, request());
    StoreWriter writer(file, file, columns());
    while (const TypedBlock* block = source.next_block()) writer.append(*block);
    writer.finish();
    writer.close("");
    return file;
  }

  // The message with which a file of these bytes is refused; empty if it is not.
  std::string refusal(const std::string& bytes) const {
    const std::string file = folder_.write("other", bytes);
    return error_text(
        [&] {
          RecordStore store(file);
          store.verify(2);
        },
        file);
  }

  static std::string bytes_of(const std::string& file) {
    std::ostringstream bytes;
    bytes << std::ifstream(file, std::ios::binary).rdbuf();
    return bytes.str();
  }

  const TemporaryFolder folder_;
  const Schema schema_ = parse_schema(kSchema, "s.toml");
};

TEST_F(RecordStoreTest, CellsAreThoseOfTheCsvFile) {
  RecordStore store(packed("store", 5000));
  store.verify(2);
  EXPECT_EQ(store.row_bytes(), 1u + 8 + 1 + 4);
  EXPECT_EQ(store.rows(), 35000u);
  StoreColumns stored(store, request());
  CsvReader csv(folder_.path_of("t.csv"));
  TextColumns parsed(csv, request());
  std::uint64_t rows = 0;
  while (const TypedBlock* expected = parsed.next_block()) {
    const TypedBlock* block = stored.next_block();
    ASSERT_NE(block, nullptr);
    ASSERT_EQ(block->rows, expected->rows);
    rows += block->rows;
    for (std::size_t i = 0; i < 4; ++i) {
      const ColumnRule rule(request().columns[i]);
      for (std::size_t row = 0; row < block->rows; ++row) {
        const CellValue was = rule.apply(expected->columns[i].cell(row));
        const CellValue is = rule.apply(block->columns[i].cell(row));
        ASSERT_EQ(is.usable, was.usable) << i << " " << row;
        if (!was.usable) continue;
        ASSERT_EQ(std::bit_cast<std::uint64_t>(is.number), std::bit_cast<std::uint64_t>(was.number))
            << i << " " << row;
      }
    }
  }
  EXPECT_EQ(rows, store.rows());
  EXPECT_EQ(stored.next_block(), nullptr);
}

TEST_F(RecordStoreTest, EqualTablesGiveEqualBytes) {
  EXPECT_EQ(bytes_of(packed("a", 3)), bytes_of(packed("b", 3)));
}

TEST_F(RecordStoreTest, EveryChangedByteIsRefused) {
  const std::string bytes = bytes_of(packed("store"));
  ASSERT_EQ(refusal(bytes), "");
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    EXPECT_NE(refusal(changed).find("error[DP380]"), std::string::npos) << at;
  }
}

TEST_F(RecordStoreTest, EveryShorterFileIsRefused) {
  const std::string bytes = bytes_of(packed("store"));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(refusal(bytes.substr(0, size)).find("error[DP380]"), std::string::npos) << size;
  }
  EXPECT_NE(refusal(bytes + std::string(StoreLayout::kMostSeal + 1, 'x')).find("error[DP380]"),
            std::string::npos);
}

// Whoever makes such a file computes its checksums too.
TEST_F(RecordStoreTest, HostileSizesAreRefusedBeforeMemoryIsTaken) {
  const std::string description = store_description(columns());
  const StoreLayout fair{.description_bytes = description.size(),
                         .row_bytes = 14,
                         .rows_per_block = rows_per_block(14),
                         .rows = 3};
  constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();
  std::vector<StoreLayout> layouts(9, fair);
  layouts[0].rows = kHuge;
  layouts[1].rows = std::uint64_t{1} << 32;  // possible, but not in this file
  layouts[2].row_bytes = kHuge / 3;
  layouts[3].row_bytes = 0;
  layouts[4].rows_per_block = 0;
  layouts[5].rows_per_block = kHuge;
  layouts[6].description_bytes = kHuge;
  layouts[7].description_bytes = std::uint64_t{1} << 28;
  layouts[8].row_bytes = 15;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    const std::string prefix = store_prefix(layouts[i], description, "");
    EXPECT_NE(refusal(prefix + description + std::string(100, '\0')).find("error[DP380]"),
              std::string::npos)
        << i;
  }
}

TEST_F(RecordStoreTest, HostileDescriptionsAreRefused) {
  const std::string good = store_description(columns());
  EXPECT_TRUE(read_store_description(good));
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(read_store_description(good.substr(0, size))) << size;
  }
  EXPECT_FALSE(read_store_description(good + "x"));
  std::string many = good;
  many.replace(0, 8, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F");
  EXPECT_FALSE(read_store_description(many));
  std::vector<StoredColumn> twice(2, columns().front());
  EXPECT_FALSE(read_store_description(store_description(twice)));
  EXPECT_FALSE(read_store_description(store_description({})));
}

TEST_F(RecordStoreTest, AnyBytesOfACellCanBeRead) {
  const std::vector<StoredColumn> all = columns();
  for (const StoredColumn& column : all) {
    for (int byte = 0; byte < 256; ++byte) {
      const std::string bytes(8, static_cast<char>(byte));
      const TypedCell cell = column.decode(bytes.data());
      if (cell.state != CellState::value) continue;
      EXPECT_FALSE(std::isnan(cell.number));
      if (column.kind == StoredKind::real) continue;
      const auto first = static_cast<double>(column.first);
      EXPECT_TRUE(cell.number >= std::min(first, 0.0) &&
                  cell.number < first + static_cast<double>(column.count));
    }
  }
}

TEST_F(RecordStoreTest, AFileCutWhileItIsReadIsAnErrorAndNoSignal) {
  const std::string file = packed("store", 1000);
  RecordStore store(file);
  store.verify(1);
  std::filesystem::resize_file(file, 5000);
  std::vector<char> row(store.row_bytes());
  EXPECT_NE(error_text([&] { store.read_rows(6999, 1, row.data()); }).find("DP380"),
            std::string::npos);
}

TEST_F(RecordStoreTest, OtherFilesAreNoStores) {
  EXPECT_FALSE(is_record_store(folder_.write("a", "")));
  EXPECT_FALSE(is_record_store(folder_.write("b", "x,y\n")));
  EXPECT_FALSE(is_record_store(folder_.path_of("none")));
  EXPECT_FALSE(is_record_store(folder_.path().string()));
  EXPECT_TRUE(is_record_store(packed("store")));
}

}  // namespace
}  // namespace dpvi
