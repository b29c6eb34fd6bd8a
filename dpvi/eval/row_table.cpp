#include <dpvi/eval/row_table.hpp>

#include <algorithm>

namespace dpvi {
namespace {

// Source and destination of a variable's numbers.
struct Move {
  bool integer = false;
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t count = 0;
};

std::vector<Move> moves_of(std::span<const RecordVariable> program, const Binding& binding) {
  std::vector<Move> moves;
  for (const RecordVariable& columns : program) {
    for (const BoundVariable& bound : binding.variables) {
      if (bound.name != columns.variable->declaration->name) continue;
      moves.push_back({columns.integer, bound.first_slot,
                       static_cast<std::size_t>(columns.first_column), bound.count});
    }
  }
  return moves;
}

template <class T>
void move_numbers(const std::vector<T>& lanes, const Move& move, std::span<T> row) {
  for (std::size_t i = 0; i < move.count; ++i) {
    row[move.to + i] = lanes[(move.from + i) * RecordTable::kLanes];
  }
}

}  // namespace

RowTable RowTable::part(std::size_t first, std::size_t wanted) const {
  RowTable rows{real_columns, integer_columns, {}, {}, {}, {}};
  const auto at = [](const auto& list, std::size_t place) {
    return list.begin() + static_cast<std::ptrdiff_t>(place);
  };
  const std::size_t end = first + wanted;
  rows.reals.assign(at(reals, first * real_columns), at(reals, end * real_columns));
  rows.integers.assign(at(integers, first * integer_columns), at(integers, end * integer_columns));
  rows.usable.assign(at(usable, first), at(usable, end));
  if (!observed.empty()) rows.observed.assign(at(observed, first), at(observed, end));
  return rows;
}

RowTable empty_rows(std::span<const RecordVariable> program, std::size_t count) {
  RowTable rows;
  for (const RecordVariable& columns : program) {
    std::size_t& width = columns.integer ? rows.integer_columns : rows.real_columns;
    width += static_cast<std::size_t>(columns.count);
  }
  rows.reals.resize(rows.real_columns * count);
  rows.integers.resize(rows.integer_columns * count);
  rows.usable.assign(count, true);
  return rows;
}

std::vector<bool> fill_rows(RowTable& rows, std::span<const RecordVariable> program,
                            const Binding& binding, const RecordTable& records) {
  const std::vector<Move> moves = moves_of(program, binding);
  std::vector<double> reals(records.real_slots() * RecordTable::kLanes);
  std::vector<std::int32_t> integers(records.integer_slots() * RecordTable::kLanes);
  std::vector<bool> usable;
  for (std::uint64_t record = 0; record < records.record_count(); ++record) {
    usable.push_back(records.load_lanes({&record, 1}, reals, integers) != 0);
    for (const Move& move : moves) {
      if (move.integer) {
        move_numbers(integers, move, rows.integers_of(record));
      } else {
        move_numbers(reals, move, rows.reals_of(record));
      }
    }
  }
  return usable;
}

}  // namespace dpvi
