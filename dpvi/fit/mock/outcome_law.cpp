#include <dpvi/fit/mock/outcome_law.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <dpvi/fit/mock/law_points.hpp>
#include <dpvi/fit/mock/mock_records.hpp>
#include <dpvi/gradient/record_gradients.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kLawRecords = 64;
// The largest mean gradient of a law, relative to the longest gradient over the outcomes.
constexpr double kLargestMean = 1e-6;
// Clipping evaluates a record once for each value of its outcome.
constexpr double kMostValues = 16.0;
// Values are counted in 32-bit integers.
constexpr double kLargestValue = 1e9;
// Simulation holds the gradients of all simulated outcomes of 16 records.
constexpr std::size_t kMostSimulated = 1000;
constexpr std::uint64_t kSimulatedSeed = 40;

double norm_of(std::span<const double> vector) {
  double squares = 0.0;
  for (const double entry : vector) squares += entry * entry;
  return std::sqrt(squares);
}

// Mock records, once for each value of the outcome.
class RecordsByOutcome {
 public:
  RecordsByOutcome(const RecordModel& model, std::vector<MockRecord> records,
                   const OutcomeColumns& outcome)
      : count_(records.size()) {
    for (std::int32_t value = outcome.lowest; value <= outcome.highest; ++value) {
      for (MockRecord& record : records) {
        record.integers[static_cast<std::size_t>(outcome.integer)] = value;
      }
      tables_.push_back(std::make_unique<const RecordTable>(model.prepare(records)));
      gradients_.push_back(std::make_unique<RecordGradients>(model.tape(), *tables_.back(), 1));
    }
  }

  std::size_t count() const { return count_; }

  // Log density and gradient of a record for every value of its outcome.
  std::vector<ValueAndGradient> at(std::uint64_t record, std::span<const double> theta) const {
    std::vector<ValueAndGradient> outcomes;
    for (const auto& gradients : gradients_) {
      outcomes.push_back(gradients->plain_value(theta, {&record, 1}));
    }
    return outcomes;
  }

 private:
  std::size_t count_;
  std::vector<std::unique_ptr<const RecordTable>> tables_;
  std::vector<std::unique_ptr<RecordGradients>> gradients_;
};

double longest_of(const std::vector<ValueAndGradient>& outcomes) {
  double longest = 0.0;
  for (const ValueAndGradient& one : outcomes) {
    if (std::isfinite(one.value)) longest = std::max(longest, norm_of(one.gradient));
  }
  return longest;
}

// Norm of the mean gradient, each outcome weighted by its density.
double mean_gradient(const std::vector<ValueAndGradient>& outcomes) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const ValueAndGradient& one : outcomes) {
    if (std::isfinite(one.value)) largest = std::max(largest, one.value);
  }
  double total = 0.0;
  std::vector<double> sum(outcomes.front().gradient.size(), 0.0);
  for (const ValueAndGradient& one : outcomes) {
    if (!std::isfinite(one.value)) continue;
    const double weight = std::exp(one.value - largest);
    total += weight;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * one.gradient[i];
  }
  return norm_of(sum) / total;
}

// The length of the mean gradient and of the longest gradient over the outcomes.
struct GradientLengths {
  double mean = 0.0;
  double longest = 0.0;
};

std::vector<GradientLengths> gradient_lengths(const RecordsByOutcome& records,
                                              std::span<const double> theta) {
  std::vector<GradientLengths> lengths;
  for (std::uint64_t record = 0; record < records.count(); ++record) {
    const std::vector<ValueAndGradient> outcomes = records.at(record, theta);
    const double longest = longest_of(outcomes);
    if (longest > 0.0) lengths.push_back({mean_gradient(outcomes), longest});
  }
  return lengths;
}

// True if the densities of the outcomes sum to the same number at all parameters: then the mean
// gradient is zero. The tolerance includes the longest gradient of a typical record: where an
// outcome is all but certain, rounding may leave it alone with a tiny gradient.
bool is_normalised(const RecordModel& model, const Binding& binding,
                   const OutcomeColumns& outcome) {
  const RecordsByOutcome records(model, make_mock_records(binding, kLawRecords, SeededGenerator(4)),
                                 outcome);
  bool informative = false;
  for (const std::vector<double>& theta : law_points(model)) {
    const std::vector<GradientLengths> lengths = gradient_lengths(records, theta);
    double typical = 0.0;
    for (const GradientLengths& one : lengths) {
      typical += one.longest / static_cast<double>(lengths.size());
    }
    for (const GradientLengths& one : lengths) {
      if (!(one.mean <= kLargestMean * (one.longest + typical))) return false;
      informative = true;
    }
  }
  return informative;
}

struct OutcomeRange {
  double lowest;
  double highest;
};

OutcomeRange range_of_outcome(const Slot& slot, const BoundColumn& column) {
  if (column.type == ColumnType::category && slot.level == 0) {
    return {1.0, static_cast<double>(column.levels.size())};
  }
  if (column.type == ColumnType::category) return {0.0, 1.0};
  return {std::ceil(std::max(slot.lower, slot.facts.lower.value_or(slot.lower))),
          std::floor(std::min(slot.upper, slot.facts.upper.value_or(slot.upper)))};
}

OutcomeLaw no_law(std::string reason) {
  return {.columns = std::nullopt, .description = std::move(reason)};
}

}  // namespace

OutcomeLaw find_outcome_law(const RecordModel& model, const Binding& binding) {
  const std::vector<std::string>& outcomes = model.stan().outcomes;
  if (binding.unit) return no_law("records have several rows");
  if (outcomes.empty()) return no_law("the program gives no column a distribution");
  if (outcomes.size() > 1) {
    return no_law(fmt::format("the outcomes {} are several variables", fmt::join(outcomes, ", ")));
  }
  const std::string& name = outcomes.front();
  const auto& variables = binding.variables;
  const auto variable = std::find_if(variables.begin(), variables.end(),
                                     [&](const BoundVariable& one) { return one.name == name; });
  if (variable == variables.end() || variable->base != BaseType::integer || variable->count != 1) {
    return no_law(fmt::format("the outcome {} is not one integer", name));
  }
  const Slot& slot = binding.integer_slots[variable->first_slot];
  const OutcomeRange range = range_of_outcome(slot, binding.columns[slot.column]);
  const bool small = std::max(std::abs(range.lowest), std::abs(range.highest)) <= kLargestValue;
  if (!small || !(range.highest > range.lowest && range.highest - range.lowest < kMostValues)) {
    return no_law(fmt::format("the outcome {} has no declared bounds with at most {:.0f} values",
                              name, kMostValues));
  }
  OutcomeColumns columns = outcome_columns(
      model.tape(), static_cast<std::int32_t>(variable->first_slot),
      static_cast<std::int32_t>(range.lowest), static_cast<std::int32_t>(range.highest));
  if (!is_normalised(model, binding, columns)) {
    return no_law(fmt::format(
        "the density of {} is not that of a distribution over {:.0f} to {:.0f}, given the rest of "
        "the record",
        name, range.lowest, range.highest));
  }
  return {.columns = std::move(columns),
          .description = fmt::format("the program gives {} a distribution over {:.0f} to {:.0f}",
                                     name, range.lowest, range.highest)};
}

OutcomeLaw find_any_outcome_law(const RecordModel& model, const Binding& binding) {
  OutcomeLaw law = find_outcome_law(model, binding);
  if (law.columns) return law;
  if (model.dimension() > kMostSimulated) {
    law.description +=
        fmt::format(", and outcomes of more than {} parameters are not simulated", kMostSimulated);
    return law;
  }
  auto simulator = std::make_shared<const OutcomeSimulator>(model, binding);
  if (simulator->found()) {
    law.description = fmt::format("outcomes are simulated: {}", simulator->description());
    law.simulator = std::move(simulator);
  } else if (simulator->description() != law.description) {
    law.description += fmt::format("; {}", simulator->description());
  }
  return law;
}

namespace {

// Keeps the lengths of usable records, in the order of the longest.
OutcomeLengths sorted_lengths(const std::vector<double>& longest,
                              const std::vector<double>& squares) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < longest.size(); ++i) {
    if (longest[i] > 0.0 && std::isfinite(longest[i])) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::size_t i) { return longest[i]; });
  OutcomeLengths lengths;
  for (const std::size_t i : order) {
    lengths.longest.push_back(longest[i]);
    lengths.squares.push_back(squares[i]);
  }
  return lengths;
}

// Mean squared norm of the gradients, each outcome weighted by its density.
double mean_square(const std::vector<ValueAndGradient>& outcomes) {
  double largest = -std::numeric_limits<double>::infinity(), total = 0.0, sum = 0.0;
  for (const ValueAndGradient& one : outcomes) {
    if (std::isfinite(one.value)) largest = std::max(largest, one.value);
  }
  for (const ValueAndGradient& one : outcomes) {
    if (!std::isfinite(one.value)) continue;
    const double weight = std::exp(one.value - largest), norm = norm_of(one.gradient);
    total += weight;
    sum += weight * norm * norm;
  }
  return sum / total;
}

}  // namespace

OutcomeLengths simulated_lengths(const RecordModel& model, const std::vector<MockRecord>& records,
                                 const OutcomeSimulator& simulator, const Coordinates& coordinates,
                                 std::span<const double> theta, const SimulatedNorms& size) {
  std::vector<double> longest, squares;
  for (std::size_t k = 0; k < size.outcomes; ++k) {
    std::vector<MockRecord> drawn = records;
    simulator.simulate(theta, drawn, SeededGenerator(kSimulatedSeed + k));
    const RecordTable table =
        model.prepare(drawn, Precision::double_precision, size.rows_per_record);
    RecordGradients gradients(model.tape(), table, 1);
    longest.resize(table.record_count());
    squares.resize(table.record_count());
    for (std::uint64_t record = 0; record < longest.size(); ++record) {
      ValueAndGradient one = gradients.plain_value(theta, {&record, 1});
      coordinates.pull_back(one.gradient);
      if (!std::isfinite(one.value)) continue;
      const double norm = norm_of(one.gradient);
      longest[record] = std::max(longest[record], norm);
      squares[record] += norm * norm / static_cast<double>(size.outcomes);
    }
  }
  return sorted_lengths(longest, squares);
}

OutcomeLengths outcome_lengths(const RecordModel& model, std::vector<MockRecord> records,
                               const OutcomeColumns& outcome, const Coordinates& coordinates,
                               std::span<const double> theta) {
  const RecordsByOutcome by_outcome(model, std::move(records), outcome);
  std::vector<double> longest, squares;
  for (std::uint64_t record = 0; record < by_outcome.count(); ++record) {
    std::vector<ValueAndGradient> outcomes = by_outcome.at(record, theta);
    for (ValueAndGradient& one : outcomes) coordinates.pull_back(one.gradient);
    longest.push_back(longest_of(outcomes));
    squares.push_back(mean_square(outcomes));
  }
  return sorted_lengths(longest, squares);
}

}  // namespace dpvi
