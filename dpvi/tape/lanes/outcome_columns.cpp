#include <dpvi/tape/lanes/outcome_columns.hpp>

namespace dpvi {

std::size_t OutcomeColumns::real_slots(const RecordTape& tape) const {
  return static_cast<std::size_t>(tape.real_columns()) + others() * columns.reals.size();
}

std::size_t OutcomeColumns::int_slots(const RecordTape& tape) const {
  return static_cast<std::size_t>(tape.int_columns()) + others() * columns.ints.size();
}

OutcomeColumns outcome_columns(const RecordTape& tape, std::int32_t integer, std::int32_t lowest,
                               std::int32_t highest) {
  return {integer, lowest, highest, tape.columns_that_read({&integer, 1})};
}

}  // namespace dpvi
