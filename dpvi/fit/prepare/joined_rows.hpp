#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include <dpvi/data/record_table.hpp>
#include <dpvi/fit/prepare/unit_width.hpp>

namespace dpvi {

// Receives one unit: its numbers in the layout of UnitWidth. Empty spans stand for a unit without a
// usable row.
using TakeUnit =
    std::function<void(std::span<const double> reals, std::span<const std::int32_t> integers)>;

// Puts the rows of each unit side by side, unit after unit. Rows that are not usable are left out:
// those after them move up. Places without a row repeat the first row, so that values that a
// program computes there, and never uses, stay in their range.
//
// Guarantee: what a unit gets depends on its own rows alone, in the order of the table.
void join_rows(const RecordTable& gathered, const UnitWidth& width, const TakeUnit& take);

}  // namespace dpvi
