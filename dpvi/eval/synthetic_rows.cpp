#include <dpvi/eval/synthetic_rows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/eval/row_parts.hpp>
#include <dpvi/stan/facts/outcome_variables.hpp>

namespace dpvi {
namespace {

bool pairs(std::span<const Replicate> replicates, const std::string& variable) {
  return std::any_of(replicates.begin(), replicates.end(),
                     [&](const Replicate& one) { return one.variable == variable; });
}

bool draws(std::span<const Replicate> replicates, const std::string& quantity) {
  return std::any_of(replicates.begin(), replicates.end(),
                     [&](const Replicate& one) { return one.quantity == quantity; });
}

bool is_usable(const RowQuantity* quantity) {
  return quantity != nullptr && quantity->draws && quantity->refusal.empty();
}

std::int32_t numbers_per_row(const RowProgram& program, const std::string& variable) {
  for (const RecordVariable& columns : program.record_variables) {
    if (columns.variable->declaration->name == variable) return columns.count;
  }
  return 0;
}

// The only unused quantity that draws this many numbers, or null if there is not exactly one.
const RowQuantity* only_candidate(const RowProgram& program, std::span<const Replicate> taken,
                                  std::int32_t numbers) {
  const RowQuantity* found = nullptr;
  for (const RowQuantity& quantity : program.quantities) {
    if (!is_usable(&quantity) || draws(taken, quantity.name)) continue;
    if (static_cast<std::int32_t>(quantity.entries.size()) != numbers) continue;
    if (found != nullptr) return nullptr;
    found = &quantity;
  }
  return found;
}

// A quantity stores its entries with the first index fastest, a record variable with the last index
// fastest.
std::size_t entry_of_slot(const std::vector<std::size_t>& sizes, std::size_t slot) {
  std::size_t entry = 0;
  std::size_t total = 1;
  for (const std::size_t size : sizes) total *= size;
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    total /= sizes[axis];
    entry += slot % sizes[axis] * total;
    slot /= sizes[axis];
  }
  return entry;
}

// Clamps a number to the program's own bounds and the column's levels.
double allowed(double number, const Slot& slot, const BoundColumn& column) {
  double lower = slot.lower;
  double upper = slot.upper;
  if (column.type == ColumnType::category) {
    lower = std::max(lower, slot.facts.lower.value_or(lower));
    upper = std::min(upper, slot.facts.upper.value_or(upper));
  }
  return std::min(std::max(number, lower), upper);
}

[[noreturn]] void refuse_undrawn(const CheckedProgram& checked, const DataBlock& data,
                                 const std::string& variable) {
  const Declaration& declaration = *data.find(variable)->declaration;
  throw InputError(
      kModelUnsupported, fmt::format("the program cannot draw '{}'.", variable),
      fmt::format("Add a generated quantity {}_rep that an _rng function draws for each "
                  "record, and fit again; or name one: --replicate {}=QUANTITY.",
                  variable, variable),
      {checked.source.file_name(), static_cast<int>(declaration.spot.line),
       static_cast<int>(declaration.spot.column)});
}

[[noreturn]] void refuse_no_value(const RowQuantity& quantity) {
  throw InputError(
      kModelFails, fmt::format("'{}' has no value at a draw from the posterior.", quantity.name),
      "An _rng function refuses its parameters there, or the program leaves it unset.");
}

void check_asked(const RowProgram& program, const Replicate& asked) {
  const std::int32_t numbers = numbers_per_row(program, asked.variable);
  const RowQuantity* quantity = program.find(asked.quantity);
  const bool fits = numbers > 0 && is_usable(quantity) &&
                    static_cast<std::int32_t>(quantity->entries.size()) == numbers;
  if (fits) return;
  const std::string why =
      numbers == 0 ? fmt::format("'{}' is not record data of the program", asked.variable)
      : quantity == nullptr
          ? fmt::format("the program has no quantity '{}' that depends on records", asked.quantity)
      : !quantity->draws ? fmt::format("'{}' calls no _rng function", asked.quantity)
      : !quantity->refusal.empty()
          ? fmt::format("'{}' cannot be drawn for a row: {}", asked.quantity, quantity->refusal)
          : fmt::format("'{}' has {} numbers per row and '{}' has {}", asked.quantity,
                        quantity->entries.size(), asked.variable, numbers);
  throw UsageError(kValueOutsideRule,
                   fmt::format("--replicate is '{}={}'; {}.", asked.variable, asked.quantity, why),
                   "Write VARIABLE=QUANTITY with a generated quantity that draws the variable.");
}

}  // namespace

std::vector<Replicate> pair_outcomes(const RowProgram& program, const CheckedProgram& checked,
                                     const DataBlock& data, std::span<const Replicate> asked) {
  std::vector<Replicate> found(asked.begin(), asked.end());
  for (const Replicate& replicate : asked) check_asked(program, replicate);
  for (Replicate& replicate : find_replicates(checked.program, data)) {
    const RowQuantity* quantity = program.find(replicate.quantity);
    const bool fits = is_usable(quantity) && static_cast<std::int32_t>(quantity->entries.size()) ==
                                                 numbers_per_row(program, replicate.variable);
    if (fits && !pairs(found, replicate.variable)) found.push_back(std::move(replicate));
  }
  const std::vector<std::string> outcomes = outcome_variables(checked.program, data);
  std::vector<std::string> left;
  std::copy_if(outcomes.begin(), outcomes.end(), std::back_inserter(left),
               [&](const std::string& variable) { return !pairs(found, variable); });
  if (left.size() == 1) {
    const RowQuantity* only =
        only_candidate(program, found, numbers_per_row(program, left.front()));
    if (only == nullptr) refuse_undrawn(checked, data, left.front());
    found.push_back({left.front(), only->name});
  } else if (!left.empty()) {
    refuse_undrawn(checked, data, left.front());
  }
  return found;
}

SyntheticRows::SyntheticRows(const RowProgram& program, const Binding& binding,
                             std::span<const Replicate> replicates)
    : program_(program), binding_(binding) {
  std::vector<Replicate> left(replicates.begin(), replicates.end());
  while (!left.empty()) {
    const auto waits = [&](const Replicate& one) {
      const std::vector<std::string>& reads = program.find(one.quantity)->reads;
      return std::any_of(left.begin(), left.end(), [&](const Replicate& other) {
        return &other != &one && other.variable != one.variable &&
               std::find(reads.begin(), reads.end(), other.variable) != reads.end();
      });
    };
    std::vector<Replicate> now, later;
    for (const Replicate& one : left) (waits(one) ? later : now).push_back(one);
    if (now.empty()) std::swap(now, later);  // cyclic: draw from the rows' values
    std::vector<Target> targets;
    std::vector<NodeId> nodes;
    for (const Replicate& one : now) {
      const RowQuantity* quantity = program.find(one.quantity);
      const auto variable =
          std::find_if(binding.variables.begin(), binding.variables.end(),
                       [&](const BoundVariable& bound) { return bound.name == one.variable; });
      targets.push_back({quantity, &*variable});
      nodes.insert(nodes.end(), quantity->entries.begin(), quantity->entries.end());
    }
    passes_.push_back({std::move(targets), RowEvaluator(program, nodes)});
    left = std::move(later);
  }
}

void SyntheticRows::draw(std::span<MockRecord> rows, std::span<const double> theta,
                         const Part& whole, const SeededGenerator& generator, int threads) const {
  const std::vector<std::vector<double>> thetas = {{theta.begin(), theta.end()}};
  // Tables and passes differ in the step of their streams.
  std::uint64_t step = whole.table * passes_.size();
  for (const Pass& pass : passes_) {
    const std::size_t width = pass.evaluator.outputs();
    for_each_part(rows.size(), rows_per_part(width), threads,
                  [&](int, std::size_t first, std::size_t count) {
                    RowTable part = empty_rows(program_.record_variables, count);
                    for (std::size_t i = 0; i < count; ++i) {
                      std::ranges::copy(rows[first + i].reals, part.reals_of(i).begin());
                      std::ranges::copy(rows[first + i].integers, part.integers_of(i).begin());
                    }
                    std::vector<double> drawn(width * count);
                    RowEvaluator::Workspace workspace(pass.evaluator);
                    pass.evaluator.evaluate(
                        workspace, {part, whole.first + first, thetas, generator, step}, drawn);
                    overlay(pass, drawn, rows.subspan(first, count));
                  });
    ++step;
  }
}

void SyntheticRows::overlay(const Pass& pass, std::span<const double> drawn,
                            std::span<MockRecord> rows) const {
  std::size_t first_output = 0;
  for (const Target& target : pass.targets) {
    const BoundVariable& variable = *target.variable;
    for (std::size_t i = 0; i < variable.count; ++i) {
      const std::size_t output = first_output + entry_of_slot(variable.dimensions, i);
      for (std::size_t row = 0; row < rows.size(); ++row) {
        const double number = drawn[output * rows.size() + row];
        if (std::isnan(number)) refuse_no_value(*target.quantity);
        put(variable, i, number, rows[row]);
      }
    }
    first_output += variable.count;
  }
}

void SyntheticRows::put(const BoundVariable& variable, std::size_t i, double number,
                        MockRecord& row) const {
  const std::size_t at = variable.first_slot + i;
  if (variable.base == BaseType::integer) {
    constexpr double kLargest = std::numeric_limits<std::int32_t>::max();
    const Slot& slot = binding_.integer_slots[at];
    const double inside = allowed(number, slot, binding_.columns[slot.column]);
    row.integers[at] = static_cast<std::int32_t>(std::clamp(inside, -kLargest, kLargest));
  } else {
    const Slot& slot = binding_.real_slots[at];
    row.reals[at] = allowed(number, slot, binding_.columns[slot.column]);
  }
}

}  // namespace dpvi
