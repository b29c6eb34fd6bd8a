#include <dpvi/fit/mock_records.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

double uniform(SeededStream& stream) { return static_cast<double>(stream.next() >> 11) * 0x1p-53; }

// Bounds that hold for a slot: the program's own and those declared for the column.
struct Range {
  double lower;
  double upper;
};

Range range_of(const Slot& slot) {
  return {std::max(slot.lower, slot.facts.lower.value_or(slot.lower)),
          std::min(slot.upper, slot.facts.upper.value_or(slot.upper))};
}

bool is_known(const Slot& slot, const BoundColumn& column) {
  const Range range = range_of(slot);
  return slot.level != 0 || column.type == ColumnType::category || slot.facts.sd ||
         (std::isfinite(range.lower) && std::isfinite(range.upper));
}

double mock_real(const Slot& slot, SeededStream& stream) {
  const Range range = range_of(slot);
  const bool has_lower = std::isfinite(range.lower);
  const bool has_upper = std::isfinite(range.upper);
  if (slot.level != 0) return uniform(stream) < 0.5 ? 1.0 : 0.0;
  if (!slot.facts.sd && has_lower && has_upper) {
    return range.lower + (range.upper - range.lower) * uniform(stream);
  }
  if (!slot.facts.sd && (has_lower || has_upper)) {
    const double distance = -std::log1p(-uniform(stream));
    return has_lower ? range.lower + distance : range.upper - distance;
  }
  const double value =
      slot.facts.mean.value_or(0.0) + slot.facts.sd.value_or(1.0) * standard_normal(stream);
  return std::clamp(value, range.lower, range.upper);
}

std::int32_t mock_integer(const Slot& slot, SeededStream& stream) {
  constexpr double kFewCounts = 8.0;
  constexpr double kLargestCount = 1e9;
  const Range range = range_of(slot);
  const double lower = std::isfinite(range.lower)   ? range.lower
                       : std::isfinite(range.upper) ? range.upper - kFewCounts
                                                    : 0.0;
  const double upper = std::isfinite(range.upper) ? range.upper : lower + kFewCounts;
  if (slot.facts.sd) {
    const double value =
        std::round(slot.facts.mean.value_or(lower) + *slot.facts.sd * standard_normal(stream));
    return static_cast<std::int32_t>(
        std::clamp(value, std::isfinite(range.lower) ? range.lower : -kLargestCount,
                   std::isfinite(range.upper) ? range.upper : kLargestCount));
  }
  const double choices = std::max(1.0, upper - lower + 1.0);
  return static_cast<std::int32_t>(lower + std::floor(choices * uniform(stream)));
}

}  // namespace

std::vector<MockRecord> make_mock_records(const Binding& binding, std::size_t count,
                                          const SeededGenerator& generator) {
  SeededStream stream = generator.stream({.label = StreamLabel::initial_value});
  std::vector<MockRecord> records(count);
  for (MockRecord& record : records) {
    for (const Slot& slot : binding.real_slots) record.reals.push_back(mock_real(slot, stream));
    for (const Slot& slot : binding.integer_slots) {
      record.integers.push_back(mock_integer(slot, stream));
    }
  }
  return records;
}

std::vector<std::string> unknown_columns(const Binding& binding) {
  std::vector<bool> known(binding.columns.size(), true);
  for (const auto* slots : {&binding.real_slots, &binding.integer_slots}) {
    for (const Slot& slot : *slots) {
      if (!is_known(slot, binding.columns[slot.column])) known[slot.column] = false;
    }
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!known[i]) names.push_back(binding.columns[i].name);
  }
  return names;
}

}  // namespace dpvi
