#include <dpvi/fit/prepare/prepared_records.hpp>

namespace dpvi {

PreparedRecords::PreparedRecords(const RecordTape& tape, Precision precision)
    : preparer_(tape),
      table_(static_cast<std::size_t>(tape.real_columns()),
             static_cast<std::size_t>(tape.int_columns()), precision),
      reals_(table_.real_slots()),
      integers_(table_.integer_slots()) {}

void PreparedRecords::append(std::span<const double> reals,
                             std::span<const std::int32_t> integers) {
  preparer_.prepare({reals, integers}, reals_.data(), integers_.data());
  table_.append(reals_, integers_);
}

}  // namespace dpvi
