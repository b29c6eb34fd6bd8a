#include <dpvi/fit/mock/enumerated_outcome.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/fit/mock/record_lanes.hpp>
#include <dpvi/random/unit_uniform.hpp>

namespace dpvi {
namespace {

// The number of values that are tried. Records whose outcome is larger are not drawn.
constexpr double kMostTried = 128.0;
// Beyond a value of this probability there is nothing more, once half of the values are passed.
constexpr double kNegligible = 1e-12;
constexpr double kLargestTried = 1e9;

}  // namespace

EnumeratedOutcome::EnumeratedOutcome(const RecordModel& model, std::int32_t column,
                                     std::int32_t lowest, std::int32_t highest)
    : graph_(model.stan().graph),
      tape_(*graph_, model.stan().record, model.stan().free_size),
      column_{true, column},
      lowest_(lowest),
      highest_(highest) {}

// Adds up the probabilities of the values until they exceed a uniform number.
std::vector<bool> EnumeratedOutcome::run(std::span<const double> theta,
                                         std::span<MockRecord> records,
                                         const SeededGenerator& generator,
                                         const AllowedNumber& allowed) const {
  RecordLanes lanes(tape_, theta);
  std::vector<bool> drawn(records.size(), false);
  const auto place = static_cast<std::size_t>(column_.column);
  for (std::size_t first = 0; first < records.size(); first += kLanes) {
    SeededStream stream = generator.stream(
        {.label = StreamLabel::predictive_draw, .step = 1, .block = first / kLanes});
    const std::size_t count = std::min<std::size_t>(kLanes, records.size() - first);
    const std::span<MockRecord> block = records.subspan(first, count);
    double left[kLanes];
    double passed[kLanes] = {};
    std::int32_t outcome[kLanes];
    for (std::size_t lane = 0; lane < count; ++lane) {
      left[lane] = unit_uniform(stream);
      outcome[lane] = block[lane].integers[place];
    }
    for (std::int32_t value = lowest_; value <= highest_; ++value) {
      for (MockRecord& record : block) record.integers[place] = value;
      const double* density = lanes.values(block);
      bool finished = true;
      for (std::size_t lane = 0; lane < count; ++lane) {
        if (drawn[first + lane]) continue;
        const double probability = std::isfinite(density[lane]) ? std::exp(density[lane]) : 0.0;
        left[lane] -= probability;
        passed[lane] += probability;
        if (left[lane] < 0.0) {
          drawn[first + lane] = true;
          if (!allowed || allowed(column_, value)) outcome[lane] = value;
        }
        const bool at_end = passed[lane] > 0.5 && probability < kNegligible;
        finished = finished && (drawn[first + lane] || at_end);
      }
      if (finished) break;
    }
    for (std::size_t lane = 0; lane < count; ++lane) block[lane].integers[place] = outcome[lane];
  }
  return drawn;
}

std::unique_ptr<EnumeratedOutcome> enumerate_outcome(const RecordModel& model,
                                                     const Binding& binding) {
  const std::vector<std::string>& outcomes = model.stan().outcomes;
  if (outcomes.size() != 1) return nullptr;
  const auto variable = std::ranges::find(binding.variables, outcomes[0], &BoundVariable::name);
  if (variable == binding.variables.end() || variable->base != BaseType::integer ||
      variable->count != 1) {
    return nullptr;
  }
  const Slot& slot = binding.integer_slots[variable->first_slot];
  const BoundColumn& column = binding.columns[slot.column];
  const bool category = column.type == ColumnType::category;
  const double stated = slot.facts.lower.value_or(0.0);
  const double bound = std::isfinite(slot.lower) ? slot.lower : stated;
  const double lowest = category ? (slot.level == 0 ? 1.0 : 0.0) : std::ceil(bound);
  if (!(std::abs(lowest) <= kLargestTried)) return nullptr;
  double highest = std::min(std::floor(slot.upper), lowest + kMostTried - 1.0);
  if (category) highest = slot.level == 0 ? static_cast<double>(column.levels.size()) : 1.0;
  if (highest < lowest) return nullptr;
  return std::make_unique<EnumeratedOutcome>(model, static_cast<std::int32_t>(variable->first_slot),
                                             static_cast<std::int32_t>(lowest),
                                             static_cast<std::int32_t>(highest));
}

}  // namespace dpvi
