#include <dpvi/fit/mock/outcome_simulator.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <dpvi/fit/mock/drawn_values.hpp>
#include <dpvi/fit/mock/enumerated_outcome.hpp>
#include <dpvi/fit/mock/outcome_check.hpp>
#include <dpvi/fit/mock/outcome_steps.hpp>

namespace dpvi {
namespace {

const Slot& slot_of(const Binding& binding, const RecordColumn& column) {
  const std::vector<Slot>& slots = column.integer ? binding.integer_slots : binding.real_slots;
  return slots[static_cast<std::size_t>(column.column)];
}

// The name of a table column that an outcome shares with another number of the record; empty if
// there is none. A simulated outcome would contradict that number.
std::string shared_column(const Binding& binding, std::span<const RecordColumn> outcomes) {
  const auto is_outcome = [&](const RecordColumn& column) {
    return std::ranges::find(outcomes, column) != outcomes.end();
  };
  const auto others = [&](bool integer, const std::vector<Slot>& slots, std::size_t table_column) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].column == table_column && !is_outcome({integer, static_cast<std::int32_t>(i)})) {
        return true;
      }
    }
    return false;
  };
  for (const RecordColumn& outcome : outcomes) {
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
  if (program->found()) {
    accept(model, std::make_unique<OutcomeSteps>(program, model.dimension()), program->outcomes,
           program->description);
    by_steps_ = found();
  }
  if (found() || model.stan().unit) return;  // records are not rows
  const std::vector<std::string>& outcomes = model.stan().outcomes;
  if (auto enumerated = enumerate_outcome(model, binding)) {
    accept(model, std::move(enumerated), outcomes,
           fmt::format("{} ~ the density of its values", outcomes.front()));
  }
}

OutcomeSimulator::OutcomeSimulator(const OutcomeSimulator& accepted, const RecordModel& model)
    : description_(accepted.description_),
      outcomes_(accepted.outcomes_),
      binding_(accepted.binding_),
      by_steps_(accepted.by_steps_) {
  if (!accepted.found()) return;
  if (by_steps_) {
    source_ = std::make_unique<OutcomeSteps>(model.stan().outcome_program, model.dimension());
  } else {
    source_ = enumerate_outcome(model, binding_);
  }
}

// Accepts the source if it passes all checks. Otherwise the reason is kept, unless an earlier one
// is known.
void OutcomeSimulator::accept(const RecordModel& model, std::unique_ptr<const OutcomeSource> source,
                              std::vector<std::string> outcomes, const std::string& description) {
  const std::string shared = shared_column(binding_, source->columns());
  const bool by_steps = model.stan().outcome_program->found();
  if (!shared.empty()) {
    description_ =
        fmt::format("the column {} is an outcome and is read by another variable too", shared);
  } else if (has_zero_mean_gradient(model, binding_, *source)) {
    source_ = std::move(source);
    outcomes_ = std::move(outcomes);
    description_ = description;
  } else if (by_steps) {
    description_ =
        fmt::format("the mean gradient of mock records is not zero, or not known, under the law {}",
                    model.stan().outcome_program->description);
  }
}

bool OutcomeSimulator::is_allowed(const RecordColumn& column, double number) const {
  const Slot& slot = slot_of(binding_, column);
  return can_be_cell(number, slot, binding_.columns[slot.column]);
}

void OutcomeSimulator::simulate(std::span<const double> theta, std::vector<MockRecord>& records,
                                const SeededGenerator& generator) const {
  source_->run(theta, records, generator, [this](const RecordColumn& column, double number) {
    return is_allowed(column, number);
  });
}

}  // namespace dpvi
