#include <dpvi/fit/mock/drawn_values.hpp>

namespace dpvi {

bool can_be_cell(double drawn, const Slot& slot, const BoundColumn& column) {
  if (slot.level > 0) return drawn == 0.0 || drawn == 1.0;
  const double number = drawn * slot.divide + slot.subtract;
  return drawn >= slot.lower && drawn <= slot.upper && number >= column.lower &&
         number <= column.upper;
}

}  // namespace dpvi
