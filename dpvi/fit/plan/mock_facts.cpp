#include <dpvi/fit/plan/mock_facts.hpp>

#include <algorithm>

namespace dpvi {
namespace {

// Values of an integer with at most this many are seen among mock records however they are drawn.
constexpr double kFewValues = 16.0;

bool has_few_values(const Slot& slot, const BoundColumn& column) {
  if (slot.level != 0 || !column.levels.empty()) return true;
  if (column.type == ColumnType::real) return false;
  const double lower = std::max(slot.lower, slot.facts.lower.value_or(slot.lower));
  const double upper = std::min(slot.upper, slot.facts.upper.value_or(slot.upper));
  return upper - lower < kFewValues;
}

// An outcome is drawn by the program, but fits start at the declared range of its values.
bool has_range_alone(const Slot& slot) {
  return slot.facts.upper && !slot.facts.mean && !slot.facts.sd;
}

}  // namespace

std::optional<MissingMockFact> missing_mock_fact(const Binding& binding,
                                                 std::span<const std::string> outcomes) {
  for (const BoundVariable& variable : binding.variables) {
    const bool real = variable.base == BaseType::real;
    const bool outcome = std::ranges::count(outcomes, variable.name) > 0;
    const std::vector<Slot>& slots = real ? binding.real_slots : binding.integer_slots;
    for (std::size_t i = variable.first_slot; i < variable.first_slot + variable.count; ++i) {
      const Slot& slot = slots[i];
      const BoundColumn& column = binding.columns[slot.column];
      if (has_few_values(slot, column)) continue;
      const bool missing = outcome ? has_range_alone(slot)
                           : real  ? !slot.facts.sd
                                   : !slot.facts.sd && !slot.facts.mean;
      if (missing) return MissingMockFact{column.name, real && !outcome ? "sd" : "mean"};
    }
  }
  return std::nullopt;
}

}  // namespace dpvi
