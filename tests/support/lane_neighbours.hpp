#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <dpvi/data/record_table.hpp>

namespace dpvi {

using Integers = std::vector<std::int64_t>;

inline Integers difference(const Integers& a, const Integers& b) {
  Integers result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}

// Checks that a record adds `alone` to a sum in every lane, and also in later blocks, which are
// evaluated together, with varying neighbours. integers(records) returns the integers of a sum.
template <class IntegersOf>
void expect_alone_in_every_lane(std::uint64_t record, std::uint64_t record_count,
                                const Integers& alone, const IntegersOf& integers) {
  std::vector<std::size_t> places = {17, 46, 63, 70};
  for (std::size_t lane = 0; lane < RecordTable::kLanes; ++lane) places.push_back(lane);
  for (const std::size_t place : places) {
    std::vector<std::uint64_t> neighbours;
    for (std::size_t i = 0; i < place; ++i) {
      neighbours.push_back((record + 5 * i + 1) % record_count);
    }
    std::vector<std::uint64_t> chosen = neighbours;
    chosen.push_back(record);
    ASSERT_EQ(difference(integers(chosen), integers(neighbours)), alone)
        << "record " << record << " in place " << place;
  }
}

// integers(records, threads) returns the integers of a sum.
template <class IntegersOf>
void expect_same_for_any_threads_and_order(const std::vector<std::uint64_t>& records,
                                           const IntegersOf& integers) {
  std::vector<std::uint64_t> many;
  for (int i = 0; i < 40; ++i) many.insert(many.end(), records.begin(), records.end());
  const Integers expected = integers(many, 1);
  std::mt19937_64 engine(2);
  for (const int threads : {2, 3, 7}) {
    std::shuffle(many.begin(), many.end(), engine);
    EXPECT_EQ(integers(many, threads), expected) << threads << " threads";
  }
}

}  // namespace dpvi
