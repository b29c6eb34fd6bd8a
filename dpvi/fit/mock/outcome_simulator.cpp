#include <dpvi/fit/mock/outcome_simulator.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <dpvi/fit/mock/drawn_values.hpp>
#include <dpvi/fit/mock/outcome_check.hpp>

namespace dpvi {
namespace {

const Slot& slot_of(const Binding& binding, const RecordColumn& column) {
  const std::vector<Slot>& slots = column.integer ? binding.integer_slots : binding.real_slots;
  return slots[static_cast<std::size_t>(column.column)];
}

// The name of a table column that an outcome shares with another number of the record; empty if
// there is none. A simulated outcome would contradict that number.
std::string shared_column(const Binding& binding, const OutcomeProgram& program) {
  const auto is_outcome = [&](const RecordColumn& column) {
    return std::ranges::find(program.columns, column) != program.columns.end();
  };
  const auto others = [&](bool integer, const std::vector<Slot>& slots, std::size_t table_column) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].column == table_column && !is_outcome({integer, static_cast<std::int32_t>(i)})) {
        return true;
      }
    }
    return false;
  };
  for (const RecordColumn& outcome : program.columns) {
    const std::size_t table_column = slot_of(binding, outcome).column;
    if (others(false, binding.real_slots, table_column) ||
        others(true, binding.integer_slots, table_column)) {
      return binding.columns[table_column].name;
    }
  }
  return {};
}

}  // namespace

OutcomeSimulator::OutcomeSimulator(const RecordModel& model, const Binding& binding)
    : binding_(binding) {
  const std::shared_ptr<const OutcomeProgram>& program = model.stan().outcome_program;
  description_ = program->description;
  if (!program->found()) return;
  const std::string shared = shared_column(binding, *program);
  if (!shared.empty()) {
    description_ =
        fmt::format("the column {} is an outcome and is read by another variable too", shared);
    return;
  }
  steps_.emplace(program, model.dimension());
  if (has_zero_mean_gradient(model, binding, *steps_, program->columns)) {
    outcomes_ = program->outcomes;
    return;
  }
  steps_.reset();
  description_ = fmt::format("the mean gradient of a record is not zero under the law {}",
                             program->description);
}

bool OutcomeSimulator::is_allowed(const RecordColumn& column, double number) const {
  const Slot& slot = slot_of(binding_, column);
  return can_be_cell(number, slot, binding_.columns[slot.column]);
}

void OutcomeSimulator::simulate(std::span<const double> theta, std::vector<MockRecord>& records,
                                const SeededGenerator& generator) const {
  steps_->run(theta, records, generator, [this](const RecordColumn& column, double number) {
    return is_allowed(column, number);
  });
}

}  // namespace dpvi
