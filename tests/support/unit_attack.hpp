#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include <gtest/gtest.h>

#include <tests/support/attacked_loop.hpp>
#include <tests/support/lane_block.hpp>

namespace dpvi {

// The integer sum that the loop releases for these units, less its noise.
using SumOfUnits = std::function<Integers(const RowGradients& units)>;

// Adds the units one by one: each must move the sum by its own vector, which is the one that it has
// alone, of norm at most the bound. Returns the number of units that move the sum.
inline std::size_t expect_each_moves_by_its_own_vector(const RowGradients& units,
                                                       const SumOfUnits& sum,
                                                       const NoiseGrid& grid) {
  RowGradients some;
  Integers before = sum(some);
  std::size_t moving = 0;
  for (const Gradients& unit : units) {
    some.push_back(unit);
    const Integers after = sum(some), alone = sum({unit});
    Integers move(after.size());
    for (std::size_t j = 0; j < move.size(); ++j) move[j] = after[j] - before[j];
    EXPECT_TRUE(exact_square_sum(move) <= exact_square(grid.integer_bound()))
        << "a unit of " << unit.size() << " rows moves the sum by more than the bound";
    EXPECT_EQ(move, alone) << "a unit's part in the sum depends on other units";
    moving += all_zero(move) ? 0 : 1;
    before = after;
  }
  return moving;
}

// Replaces the whole content of a unit, including its number of rows: the sum must move by the
// difference of the two units' vectors.
inline void expect_replaced_moves_by_difference(const RowGradients& units, const SumOfUnits& sum,
                                                std::span<const std::size_t> changed_units,
                                                std::span<const Gradients> contents) {
  const Integers before = sum(units);
  for (const std::size_t changed : changed_units) {
    for (const Gradients& content : contents) {
      RowGradients other = units;
      other[changed] = content;
      const Integers after = sum(other), old = sum({units[changed]}), made = sum({content});
      for (std::size_t j = 0; j < after.size(); ++j) {
        EXPECT_EQ(after[j] - before[j], made[j] - old[j]);
      }
    }
  }
}

}  // namespace dpvi
