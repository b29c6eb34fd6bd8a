#include <dpvi/fit/plan/count_plan.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <dpvi/fit/mock/mock_records.hpp>
#include <dpvi/fit/prepare/prior_draw.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kBinsOfLine = 32, kBinsOfProjection = 24;
constexpr std::size_t kFewestProjections = 6, kMostProjections = 12, kProjectionsPerNumber = 3;
constexpr std::size_t kMostCounted = 20;
// Half the width of a histogram in standard deviations.
constexpr double kReach = 4.0;

// Where the numbers of a column are expected.
struct Range {
  double centre = 0.0;
  double sd = 1.0;
};

const Slot& slot_of(const Binding& binding, const RecordColumn& column) {
  const std::vector<Slot>& slots = column.integer ? binding.integer_slots : binding.real_slots;
  return slots[static_cast<std::size_t>(column.column)];
}

double number_of(const MockRecord& record, const RecordColumn& column) {
  const auto place = static_cast<std::size_t>(column.column);
  return column.integer ? static_cast<double>(record.integers[place]) : record.reals[place];
}

// Mock records with outcomes drawn from the program at draws from its prior.
std::vector<MockRecord> prior_predictive(const RecordModel& model, const Binding& binding,
                                         const OutcomeSimulator& simulator) {
  constexpr std::size_t kPoints = 101, kRecords = 32;
  SeededStream stream = SeededGenerator(7).stream({.label = StreamLabel::initial_value});
  std::vector<MockRecord> all;
  for (const auto& theta : draws_from_prior(model.prior(), model.dimension(), kPoints, stream)) {
    std::vector<MockRecord> records =
        make_mock_records(binding, kRecords, SeededGenerator(8 + all.size()));
    simulator.simulate(theta, records, SeededGenerator(9 + all.size()));
    all.insert(all.end(), records.begin(), records.end());
  }
  return all;
}

Range range_of_draws(const std::vector<MockRecord>& records, const RecordColumn& column) {
  constexpr double kTail = 0.01, kSdsToTail = 2.33;
  std::vector<double> numbers;
  for (const MockRecord& record : records) {
    const double number = number_of(record, column);
    if (std::isfinite(number)) numbers.push_back(number);
  }
  if (numbers.empty()) return {};
  std::ranges::sort(numbers);
  const auto at = [&](double share) {
    return numbers[static_cast<std::size_t>(share * static_cast<double>(numbers.size() - 1))];
  };
  const double low = at(kTail), high = at(1.0 - kTail);
  const double sd = (high - low) / (2.0 * kSdsToTail);
  return {0.5 * (low + high), sd > 0.0 && std::isfinite(sd) ? sd : 1.0};
}

std::vector<Range> ranges_of(const RecordModel& model, const Binding& binding,
                             const OutcomeSimulator& simulator) {
  std::vector<MockRecord> drawn;
  std::vector<Range> ranges;
  for (const RecordColumn& column : simulator.columns()) {
    const SlotFacts& facts = slot_of(binding, column).facts;
    if (facts.sd && *facts.sd > 0.0) {
      ranges.push_back({facts.mean.value_or(0.0), *facts.sd});
    } else if (facts.lower && facts.upper && *facts.upper > *facts.lower) {
      ranges.push_back(
          {0.5 * (*facts.lower + *facts.upper), (*facts.upper - *facts.lower) / (2.0 * kReach)});
    } else {
      if (drawn.empty()) drawn = prior_predictive(model, binding, simulator);
      ranges.push_back(range_of_draws(drawn, column));
    }
  }
  return ranges;
}

// A whole number of integers falls into each bin, and no integer on an edge.
OutcomeBins::Histogram histogram_of_integers(const Range& range) {
  const double lowest = std::floor(range.centre - kReach * range.sd) - 0.5;
  const double width =
      std::max(1.0, std::ceil(2.0 * kReach * range.sd / static_cast<double>(kBinsOfLine)));
  return {{1.0}, lowest, lowest + width * static_cast<double>(kBinsOfLine)};
}

// A direction in which the numbers, in units of their standard deviations, are projected.
std::vector<double> direction(std::size_t size, double turn, SeededStream& stream) {
  if (size == 2) return {std::cos(turn), std::sin(turn)};
  std::vector<double> entries(size);
  double square = 0.0;
  for (double& entry : entries) {
    entry = standard_normal(stream);
    square += entry * entry;
  }
  for (double& entry : entries) entry /= std::sqrt(square);
  return entries;
}

std::vector<OutcomeBins::Histogram> projections(const std::vector<Range>& ranges) {
  const std::size_t size = ranges.size();
  const std::size_t count =
      std::clamp(kProjectionsPerNumber * size, kFewestProjections, kMostProjections);
  SeededStream stream = SeededGenerator(10).stream({.label = StreamLabel::initial_value});
  std::vector<OutcomeBins::Histogram> all;
  for (std::size_t h = 0; h < count; ++h) {
    const double turn = std::numbers::pi * static_cast<double>(h) / static_cast<double>(count);
    OutcomeBins::Histogram one{.weights = direction(size, turn, stream)};
    double centre = 0.0;
    for (std::size_t k = 0; k < size; ++k) {
      one.weights[k] /= ranges[k].sd;
      centre += one.weights[k] * ranges[k].centre;
    }
    one.lowest = centre - kReach;
    one.highest = centre + kReach;
    all.push_back(std::move(one));
  }
  return all;
}

OutcomeBins bins_of(std::span<const RecordColumn> columns, const std::vector<Range>& ranges) {
  std::vector<BinnedNumber> numbers;
  for (const RecordColumn& column : columns) {
    numbers.push_back({column.integer, static_cast<std::size_t>(column.column)});
  }
  if (columns.size() > 1) return {std::move(numbers), projections(ranges), kBinsOfProjection};
  const Range& range = ranges.front();
  OutcomeBins::Histogram line{
      {1.0}, range.centre - kReach * range.sd, range.centre + kReach * range.sd};
  if (columns.front().integer) line = histogram_of_integers(range);
  return {std::move(numbers), {std::move(line)}, kBinsOfLine};
}

std::string reason_not_to_count(const RecordModel& model, const Binding& binding,
                                const MockStudy& study, const OutcomeSimulator& simulator) {
  if (!simulator.found()) return simulator.description();
  if (study.law.columns) return "outcomes are enumerated";
  if (binding.unit || model.unit_width()) return "a record has several rows";
  if (!model.stan().latents.empty()) return "records have latent variables";
  const std::size_t count = simulator.columns().size();
  if (count != binding.real_slots.size() + binding.integer_slots.size()) {
    return "records do not consist of outcomes alone";
  }
  return count <= kMostCounted ? "" : "records have too many outcomes to count";
}

}  // namespace

CountChoice choose_counts(const RecordModel& model, const Binding& binding, const MockStudy& study,
                          const std::shared_ptr<const OutcomeSimulator>& simulator) {
  std::string reason = reason_not_to_count(model, binding, study, *simulator);
  if (!reason.empty()) return {.reason = std::move(reason)};
  OutcomeBins bins = bins_of(simulator->columns(), ranges_of(model, binding, *simulator));
  return {.plan = CountPlan{.bins = std::make_shared<const OutcomeBins>(std::move(bins)),
                            .simulator = simulator,
                            .components = study.components,
                            .separated = study.start},
          .reason = {}};
}

}  // namespace dpvi
