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
  for (int i = 0; i < 40000; ++i) {  // several pieces of storage
    if (i == 3) {
      table.append_unusable();
    } else {
      table.append(std::vector<double>{i + 0.5, -1.0 * i}, std::vector<std::int32_t>{i});
    }
  }
  const std::vector<std::uint64_t> wanted = {39999, 0, 3, 16384, 16383};
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

// Guarantee: what a lane holds depends on its own record alone.
TEST(RecordTable, WhatALaneHoldsDependsOnItsOwnRecordAlone) {
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
