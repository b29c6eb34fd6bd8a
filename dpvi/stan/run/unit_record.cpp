#include <dpvi/stan/run/unit_record.hpp>

#include <algorithm>

namespace dpvi {

ProgramRecord unit_record(const UnitLayout& layout, std::span<const ProgramRecord> rows) {
  ProgramRecord unit;
  unit.reals.resize(static_cast<std::size_t>(layout.real_columns * layout.most_rows));
  unit.integers.resize(static_cast<std::size_t>(layout.integer_columns * layout.most_rows));
  for (const RecordVariable& columns : layout.variables) {
    for (std::int32_t place = 0; place < layout.most_rows; ++place) {
      const auto given = static_cast<std::size_t>(place) < rows.size() ? place : 0;
      const ProgramRecord& row = rows[static_cast<std::size_t>(given)];
      const std::vector<double>& from = columns.integer ? row.integers : row.reals;
      std::vector<double>& to = columns.integer ? unit.integers : unit.reals;
      std::copy_n(from.begin() + columns.first_column, columns.count,
                  to.begin() + columns.first_column * layout.most_rows + place * columns.count);
    }
  }
  unit.integers.push_back(static_cast<double>(rows.size()));
  unit.reals.insert(unit.reals.end(), rows[0].reals.begin() + layout.real_columns,
                    rows[0].reals.end());
  return unit;
}

}  // namespace dpvi
