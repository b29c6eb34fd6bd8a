#include <dpvi/fit/mock/mock_records.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <dpvi/random/standard_normal.hpp>
#include <dpvi/random/unit_uniform.hpp>

namespace dpvi {
namespace {

// Width of the range of an integer that lacks a bound.
constexpr double kFewCounts = 8.0;
constexpr double kLargestInteger = 2147483647.0;

// Bounds of a slot: those of the program and those declared for the column.
struct Range {
  double lower;
  double upper;

  bool bounded() const { return std::isfinite(lower) && std::isfinite(upper); }
  double clamped(double value) const { return std::min(std::max(value, lower), upper); }
};

Range range_of(const Slot& slot) {
  return {std::max(slot.lower, slot.facts.lower.value_or(slot.lower)),
          std::min(slot.upper, slot.facts.upper.value_or(slot.upper))};
}

bool is_known(const Slot& slot, const BoundColumn& column) {
  return column.type == ColumnType::category || slot.facts.sd || range_of(slot).bounded();
}

// Draws from a log-normal distribution above `lower` with that mean and sd. Quantities with a lower
// bound and an sd close to their mean (incomes, distances, concentrations) are skewed.
double skewed(double lower, double mean, double sd, SeededStream& stream) {
  const double variance = std::log1p(std::pow(sd / (mean - lower), 2));
  const double centre = std::log(mean - lower) - 0.5 * variance;
  return lower + std::exp(centre + std::sqrt(variance) * standard_normal(stream));
}

double mock_real(const Slot& slot, SeededStream& stream) {
  const Range range = range_of(slot);
  if (slot.facts.sd) {
    const double mean = slot.facts.mean.value_or(0.0);
    const double sd = *slot.facts.sd;
    const bool near_bound = mean > range.lower && mean - range.lower < 2.0 * sd;
    return range.clamped(near_bound ? skewed(range.lower, mean, sd, stream)
                                    : mean + sd * standard_normal(stream));
  }
  if (range.bounded()) return range.lower + (range.upper - range.lower) * unit_uniform(stream);
  if (std::isfinite(range.lower)) return range.lower - std::log1p(-unit_uniform(stream));
  if (std::isfinite(range.upper)) return range.upper + std::log1p(-unit_uniform(stream));
  return slot.facts.mean.value_or(0.0) + standard_normal(stream);
}

// Draws the number of successes in `trials`.
double binomial(double trials, double probability, SeededStream& stream) {
  constexpr double kMaxTrials = 1000.0;
  if (trials > kMaxTrials) {
    const double sd = std::sqrt(trials * probability * (1.0 - probability));
    const double value = std::round(trials * probability + sd * standard_normal(stream));
    return std::clamp(value, 0.0, trials);
  }
  double successes = 0.0;
  for (double trial = 0.0; trial < trials; ++trial) {
    if (unit_uniform(stream) < probability) ++successes;
  }
  return successes;
}

// Normal with the declared mean and sd, rounded; binomial between bounds with the declared mean;
// uniform between bounds.
double mock_whole(const Slot& slot, SeededStream& stream) {
  Range range = range_of(slot);
  const auto& [mean, sd] = std::pair(slot.facts.mean, slot.facts.sd);
  if (sd) {
    const double value = std::round(mean.value_or(0.0) + *sd * standard_normal(stream));
    return std::clamp(range.clamped(value), -kLargestInteger, kLargestInteger);
  }
  if (!std::isfinite(range.lower)) {
    range.lower = std::isfinite(range.upper) ? range.upper - kFewCounts : 0.0;
  }
  if (!std::isfinite(range.upper)) range.upper = range.lower + kFewCounts;
  const double choices = std::max(0.0, range.upper - range.lower);
  if (mean && choices > 0.0) {
    const double probability = std::clamp((*mean - range.lower) / choices, 0.0, 1.0);
    return range.lower + binomial(choices, probability, stream);
  }
  return range.lower + std::floor((choices + 1.0) * unit_uniform(stream));
}

}  // namespace

// All slots of a category use the same level.
class MockRecordSource::Maker {
 public:
  Maker(const Binding& binding, const SeededGenerator& generator)
      : binding_(binding), stream_(generator.stream({.label = StreamLabel::initial_value})) {}

  MockRecord make() {
    levels_.assign(binding_.columns.size(), std::nullopt);
    MockRecord record;
    for (const Slot& slot : binding_.real_slots) {
      const bool whole = binding_.columns[slot.column].type == ColumnType::integer;
      record.reals.push_back(is_category(slot)             ? category_value(slot)
                             : whole && slot.divide == 1.0 ? mock_whole(slot, stream_)
                                                           : mock_real(slot, stream_));
    }
    for (const Slot& slot : binding_.integer_slots) {
      record.integers.push_back(static_cast<std::int32_t>(
          is_category(slot) ? category_value(slot) : mock_whole(slot, stream_)));
    }
    return record;
  }

 private:
  bool is_category(const Slot& slot) const {
    return binding_.columns[slot.column].type == ColumnType::category;
  }

  double category_value(const Slot& slot) {
    std::optional<double>& level = levels_[slot.column];
    if (!level) level = drawn_level(binding_.columns[slot.column]);
    if (slot.level == 0) return *level;
    return *level == static_cast<double>(slot.level) ? 1.0 : 0.0;
  }

  // Its code: 1, 2, ...
  double drawn_level(const BoundColumn& column) {
    const double place = unit_uniform(stream_);
    const std::size_t count = column.levels.size();
    if (column.shares.empty()) return 1.0 + std::floor(static_cast<double>(count) * place);
    std::size_t level = 1;
    double below = column.shares.front();
    while (level < count && place >= below) below += column.shares[level++];
    return static_cast<double>(level);
  }

  const Binding& binding_;
  SeededStream stream_;
  std::vector<std::optional<double>> levels_;
};

MockRecordSource::MockRecordSource(const Binding& binding, const SeededGenerator& generator)
    : maker_(std::make_unique<Maker>(binding, generator)) {}

MockRecordSource::~MockRecordSource() = default;
MockRecordSource::MockRecordSource(MockRecordSource&&) noexcept = default;

MockRecord MockRecordSource::next() { return maker_->make(); }

std::vector<MockRecord> make_mock_records(const Binding& binding, std::size_t count,
                                          const SeededGenerator& generator) {
  MockRecordSource source(binding, generator);
  std::vector<MockRecord> records;
  records.reserve(count);
  for (std::size_t i = 0; i < count; ++i) records.push_back(source.next());
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
