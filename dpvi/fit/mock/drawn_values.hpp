#pragma once

#include <dpvi/data/binding.hpp>

namespace dpvi {

// True if a cell of the column could hold the number, drawn for this slot, without being clamped or
// dropped.
bool can_be_cell(double drawn, const Slot& slot, const BoundColumn& column);

}  // namespace dpvi
