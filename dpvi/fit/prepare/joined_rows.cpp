#include <dpvi/fit/prepare/joined_rows.hpp>

#include <vector>

namespace dpvi {
namespace {

class UnitJoiner {
 public:
  UnitJoiner(const RecordTable& table, const UnitWidth& width)
      : table_(table),
        width_(width),
        lane_reals_(table.real_slots() * RecordTable::kLanes),
        lane_integers_(table.integer_slots() * RecordTable::kLanes),
        reals_(width.all_reals()),
        integers_(width.all_integers()) {}

  void join(std::uint64_t unit, const TakeUnit& take) {
    const RecordTable::Rows rows = table_.rows_of(unit);
    std::size_t found = 0;
    for (std::uint64_t row = rows.first; row < rows.end && found < width_.most_rows; ++row) {
      if (table_.load_lanes({&row, 1}, lane_reals_, lane_integers_) != 0) place(found++);
    }
    if (found == 0) return take({}, {});
    for (std::size_t row = found; row < width_.most_rows; ++row) repeat_first(row);
    integers_.back() = static_cast<std::int32_t>(found);
    take(reals_, integers_);
  }

 private:
  // Puts the row that was loaded at a place in the unit.
  void place(std::size_t row) {
    for (const UnitWidth::Part& part : width_.parts) {
      const std::size_t to = part.first * width_.most_rows + row * part.count;
      for (std::size_t i = 0; i < part.count; ++i) {
        const std::size_t from = (part.first + i) * RecordTable::kLanes;
        if (part.integers) {
          integers_[to + i] = lane_integers_[from];
        } else {
          reals_[to + i] = lane_reals_[from];
        }
      }
    }
  }

  void repeat_first(std::size_t row) {
    for (const UnitWidth::Part& part : width_.parts) {
      const std::size_t first = part.first * width_.most_rows;
      for (std::size_t i = first; i < first + part.count; ++i) {
        if (part.integers) {
          integers_[i + row * part.count] = integers_[i];
        } else {
          reals_[i + row * part.count] = reals_[i];
        }
      }
    }
  }

  const RecordTable& table_;
  const UnitWidth& width_;
  std::vector<double> lane_reals_;
  std::vector<std::int32_t> lane_integers_;
  std::vector<double> reals_;
  std::vector<std::int32_t> integers_;
};

}  // namespace

void join_rows(const RecordTable& gathered, const UnitWidth& width, const TakeUnit& take) {
  UnitJoiner joiner(gathered, width);
  for (std::uint64_t unit = 0; unit < gathered.record_count(); ++unit) joiner.join(unit, take);
}

}  // namespace dpvi
