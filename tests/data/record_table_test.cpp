#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <tests/support/data_variables.hpp>

#include <dpvi/data/record_table.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kLanes = RecordTable::kLanes;

TEST(RecordTable, GivesBackWhatWasPutIn) {
  for (const std::size_t integer_slots : {0u, 1u, 2u, 3u}) {
    RecordTable table(2, integer_slots);
    const std::vector<std::int32_t> integers = {-1, std::numeric_limits<std::int32_t>::min(), 7};
    const std::vector<std::int32_t> some(integers.begin(),
                                         integers.begin() + static_cast<long>(integer_slots));
    table.append(std::vector<double>{1.5, -0.25}, some);
    table.append_unusable();
    const auto records = records_of(table);
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0], (PlainRecord{{1.5, -0.25}, some}));
    EXPECT_EQ(records[1], std::nullopt);
  }
}

TEST(RecordTable, GatheredRowsOfARecordAreNeighboursInTheOrderTheyCame) {
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    RecordTable table(1, 1, precision);
    constexpr std::uint32_t kRecords = 7000, kRows = 600000;  // fills several storage chunks
    std::vector<std::vector<std::int32_t>> expected(kRecords);
    for (std::uint32_t i = 0; i < kRows; ++i) {
      const std::uint32_t record = i < kRecords ? i : i * 17 % kRecords;
      const auto number = static_cast<std::int32_t>(i);
      table.append(std::vector<double>{0.5 * i}, std::vector{number});
      table.assign_last_row(record);
      expected[record].push_back(number);
    }
    const RecordTable gathered = std::move(table).gathered();
    ASSERT_EQ(gathered.record_count(), kRecords);
    ASSERT_EQ(gathered.row_count(), kRows);
    EXPECT_FALSE(gathered.rows_are_records());
    std::vector<float> singles(kLanes);
    std::vector<double> doubles(kLanes);
    std::vector<std::int32_t> integers(kLanes);
    for (std::uint64_t record = 0; record < kRecords; ++record) {
      const auto [first, end] = gathered.rows_of(record);
      ASSERT_EQ(end - first, expected[record].size());
      for (std::uint64_t row = first; row < end; ++row) {
        const bool single = precision == Precision::single_precision;
        const std::uint32_t usable = single ? gathered.load_lanes({&row, 1}, singles, integers)
                                            : gathered.load_lanes({&row, 1}, doubles, integers);
        ASSERT_EQ(usable, 1u);
        ASSERT_EQ(integers[0], expected[record][row - first]);
        ASSERT_EQ(single ? double{singles[0]} : doubles[0], 0.5 * integers[0]);
      }
    }
  }
}

TEST(RecordTable, RowsThatNobodyAssignedAreRecords) {
  RecordTable table(1, 0);
  table.append(std::vector{1.0}, {});
  table.append(std::vector{2.0}, {});
  const RecordTable gathered = std::move(table).gathered();
  EXPECT_TRUE(gathered.rows_are_records());
  EXPECT_EQ(gathered.record_count(), 2u);
  EXPECT_EQ(gathered.rows_of(1).first, 1u);
  EXPECT_EQ(gathered.rows_of(1).end, 2u);
}

TEST(RecordTable, LanesThatAreToStayEmptyAreZero) {
  RecordTable table(1, 1);
  table.append(std::vector{1.5}, std::vector{7});
  std::vector<double> reals(kLanes, 99.0);
  std::vector<std::int32_t> integers(kLanes, 99);
  const std::vector<std::uint64_t> wanted = {RecordTable::kNoRow, 0, RecordTable::kNoRow};
  EXPECT_EQ(table.load_lanes(wanted, reals, integers), 0b010u);
  EXPECT_EQ(reals[0], 0.0);
  EXPECT_EQ(reals[1], 1.5);
  EXPECT_EQ(integers[1], 7);
  EXPECT_EQ(integers[2], 0);
}

TEST(RecordTable, TableWithoutSlotsStillHasRecords) {
  RecordTable table(0, 0);
  table.append({}, {});
  table.append_unusable();
  const auto records = records_of(table);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_TRUE(records[0].has_value());
  EXPECT_FALSE(records[1].has_value());
}

TEST(RecordTable, LanesLieSideBySideAndTheRestIsZero) {
  RecordTable table(2, 1);
  for (int i = 0; i < 300000; ++i) {  // fills several storage chunks
    if (i == 3) {
      table.append_unusable();
    } else {
      table.append(std::vector<double>{i + 0.5, -1.0 * i}, std::vector<std::int32_t>{i});
    }
  }
  const std::vector<std::uint64_t> wanted = {299999, 0, 3, 262144, 262143};
  std::vector<double> reals(2 * kLanes, 99.0);
  std::vector<std::int32_t> integers(kLanes, 99);
  table.prefetch(wanted);
  EXPECT_EQ(table.load_lanes(wanted, reals, integers), 0b11011u);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const bool used = lane < wanted.size() && wanted[lane] != 3;
    const double value = used ? static_cast<double>(wanted[lane]) : 0.0;
    EXPECT_EQ(reals[lane], used ? value + 0.5 : 0.0);
    EXPECT_EQ(reals[kLanes + lane], -value);
    EXPECT_EQ(integers[lane], static_cast<std::int32_t>(value));
  }
}

TEST(RecordTable, AnUnusableRowIsZeroWhateverItsMemoryHeldBefore) {
  for (int tables = 0; tables < 4; ++tables) {  // later tables reuse memory that earlier ones freed
    RecordTable table(1, 1);
    for (int i = 0; i < 500; ++i) {
      table.append_unusable();
      const std::uint64_t row = table.row_count() - 1;
      std::vector<double> reals(kLanes, 99.0);
      std::vector<std::int32_t> integers(kLanes, 99);
      ASSERT_EQ(table.load_lanes({&row, 1}, reals, integers), 0u);
      ASSERT_EQ(reals[0], 0.0);
      ASSERT_EQ(integers[0], 0);
      table.append(std::vector<double>{-1.5}, std::vector<std::int32_t>{7});
    }
    RecordTable used(1, 1);
    for (int i = 0; i < 2000; ++i) {
      used.append(std::vector<double>{-1.5}, std::vector<std::int32_t>{7});
    }
  }
}

// Guarantee: the content of a lane depends on its own row alone.
TEST(RecordTable, ContentOfALaneDependsOnItsOwnRowAlone) {
  RecordTable table(1, 1);
  table.append(std::vector<double>{0.1}, std::vector<std::int32_t>{5});
  table.append(std::vector<double>{std::nan("")}, std::vector<std::int32_t>{-1});
  table.append_unusable();
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (const std::uint64_t neighbour : {0u, 1u, 2u}) {
      std::vector<std::uint64_t> wanted(kLanes, neighbour);
      wanted[lane] = 0;
      std::vector<double> reals(kLanes);
      std::vector<std::int32_t> integers(kLanes);
      EXPECT_NE(table.load_lanes(wanted, reals, integers) & (1u << lane), 0u);
      EXPECT_EQ(reals[lane], 0.1);
      EXPECT_EQ(integers[lane], 5);
    }
  }
}

}  // namespace
}  // namespace dpvi
