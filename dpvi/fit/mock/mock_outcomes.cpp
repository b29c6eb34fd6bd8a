#include <dpvi/fit/mock/mock_outcomes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <dpvi/fit/mock/drawn_values.hpp>
#include <dpvi/fit/prepare/prior_draw.hpp>
#include <dpvi/random/unit_uniform.hpp>

namespace dpvi {
namespace {

constexpr const char* kEndings[] = {"_rep", "_sim", "_tilde", "_pred", "_new", "rep"};

const Declaration* find_quantity(const StanProgram& program, const std::string& name) {
  for (const StatementPtr& statement : program.block(BlockKind::generated_quantities).statements) {
    if (statement->kind == StatementKind::declaration && statement->declaration->name == name) {
      return statement->declaration.get();
    }
  }
  return nullptr;
}

ProgramRecord as_program_wants(const MockRecord& record) {
  return {record.reals, {record.integers.begin(), record.integers.end()}};
}

// A reader clamps reals to the declared bounds of their column.
double as_read(double number, const Slot& slot, const BoundColumn& column) {
  if (slot.level > 0) return number;
  const double cell = number * slot.divide + slot.subtract;
  if (cell >= column.lower && cell <= column.upper) return number;
  return (std::clamp(cell, column.lower, column.upper) - slot.subtract) / slot.divide;
}

class OutcomeDrawer {
 public:
  OutcomeDrawer(const Binding& binding, const std::vector<Replicate>& replicates)
      : binding_(binding), replicates_(replicates) {}

  void overlay(const std::vector<DrawnQuantity>& drawn, MockRecord& record) {
    for (const Replicate& replicate : replicates_) {
      const auto quantity = std::find_if(drawn.begin(), drawn.end(), [&](const DrawnQuantity& one) {
        return one.name == replicate.quantity;
      });
      const auto variable =
          std::find_if(binding_.variables.begin(), binding_.variables.end(),
                       [&](const BoundVariable& one) { return one.name == replicate.variable; });
      if (quantity == drawn.end() || variable == binding_.variables.end()) continue;
      // The entries of a matrix per record are ordered differently from its columns.
      if (quantity->numbers.size() != variable->count || quantity->dims.count() > 2) continue;
      overlay(*variable, quantity->numbers, record);
      used_.insert(replicate.variable);
    }
  }

  std::vector<Replicate> used() const {
    std::vector<Replicate> list;
    for (const Replicate& replicate : replicates_) {
      if (used_.contains(replicate.variable)) list.push_back(replicate);
    }
    return list;
  }

 private:
  void overlay(const BoundVariable& variable, const std::vector<double>& numbers,
               MockRecord& record) const {
    for (std::size_t i = 0; i < variable.count; ++i) {
      const std::size_t at = variable.first_slot + i;
      if (!std::isfinite(numbers[i])) continue;
      if (variable.base == BaseType::integer) {
        const Slot& slot = binding_.integer_slots[at];
        const double whole = std::round(numbers[i]);
        const bool fits = std::abs(whole) <= std::numeric_limits<std::int32_t>::max();
        if (fits && can_be_cell(whole, slot, binding_.columns[slot.column])) {
          record.integers[at] = static_cast<std::int32_t>(whole);
        }
      } else {
        const Slot& slot = binding_.real_slots[at];
        const double read = as_read(numbers[i], slot, binding_.columns[slot.column]);
        if (can_be_cell(read, slot, binding_.columns[slot.column])) record.reals[at] = read;
      }
    }
  }

  const Binding& binding_;
  const std::vector<Replicate>& replicates_;
  std::set<std::string> used_;
};

}  // namespace

std::vector<Replicate> find_replicates(const StanProgram& program, const DataBlock& data) {
  const RecordDependence dependence(program, data, true);
  std::vector<Replicate> found;
  for (const DataBlockVariable& variable : data.variables) {
    if (variable.role != DataRole::record) continue;
    for (const char* ending : kEndings) {
      const std::string name = variable.declaration->name + ending;
      const Declaration* quantity = find_quantity(program, name);
      if (quantity == nullptr || !dependence.on_draws(quantity->slot) ||
          !dependence.on_records(quantity->slot)) {
        continue;
      }
      found.push_back({variable.declaration->name, name});
      break;
    }
  }
  return found;
}

std::vector<Replicate> draw_outcomes(std::vector<MockRecord>& records, const Binding& binding,
                                     const RecordModel& model, const GeneratedDraws& program,
                                     const std::vector<Replicate>& replicates,
                                     const SeededGenerator& generator) {
  if (replicates.empty()) return {};
  SeededStream stream = generator.stream({.label = StreamLabel::predictive_draw});
  const auto theta = draw_from_prior(model.prior(), model.dimension(), stream);
  if (!theta) return {};
  return draw_outcomes_at(*theta, records, binding, program, replicates, stream);
}

std::vector<Replicate> draw_outcomes_at(std::span<const double> theta,
                                        std::vector<MockRecord>& records, const Binding& binding,
                                        const GeneratedDraws& program,
                                        const std::vector<Replicate>& replicates,
                                        SeededStream& stream) {
  const UniformSource uniform = [&stream] { return unit_uniform(stream); };
  OutcomeDrawer drawer(binding, replicates);
  for (MockRecord& record : records) {
    try {
      drawer.overlay(program.on_record(theta, as_program_wants(record), uniform), record);
    } catch (const InputError&) {
      // The program fails at this point, so the value from public facts stays.
    }
  }
  return drawer.used();
}

}  // namespace dpvi
