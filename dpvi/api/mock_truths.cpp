#include <dpvi/api/mock_truths.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/mock/drawn_values.hpp>
#include <dpvi/fit/mock/mock_records.hpp>
#include <dpvi/fit/mock/mock_unit_sizes.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/random/unit_uniform.hpp>
#include <dpvi/stan/facts/outcome_variables.hpp>

namespace dpvi {
namespace {

// Keeps the tables apart from the mock records with which fits are planned.
constexpr std::uint64_t kKey = 0x53494d554c415445;
// Streams of one seed, besides the tables' own.
constexpr std::uint64_t kPriorStream = 0, kPilotStream = 1, kOrderStream = 2;

SeededGenerator generator_of(std::uint64_t seed, std::uint64_t kind, std::uint64_t table) {
  SeededStream stream =
      SeededGenerator(seed ^ kKey)
          .stream({.label = StreamLabel::initial_value, .step = kind, .block = table});
  return SeededGenerator(stream.next());
}

// How many draws from the prior are affordable.
std::size_t draws_for(std::size_t dimension) {
  return std::clamp<std::size_t>(20'000 / std::max<std::size_t>(1, dimension), 100, 1000);
}

PriorSample sample_of(const BoundModel& bound, std::uint64_t seed) {
  SeededStream stream =
      generator_of(seed, kPriorStream, 0).stream({.label = StreamLabel::initial_value});
  const std::size_t size = bound.model.dimension();
  if (auto sample = sample_prior(bound.model.prior(), size, draws_for(size), stream)) {
    return *std::move(sample);
  }
  throw InputError(kModelFails, "the prior has no value at any point that was tried.",
                   "Check the prior: 'dpvi check' evaluates it.",
                   {bound.program.inputs().file, 0, 0});
}

// True if a mean that is expected to be `declared` may be `found`: half to twice the distance from
// either bound. Real tables are known no better.
bool is_near(double found, double declared, double bound) {
  if (!std::isfinite(bound) || declared == bound) return true;
  const double ratio = (found - bound) / (declared - bound);
  return ratio >= 0.5 && ratio <= 2.0;
}

const Slot& slot_of(const Binding& binding, const RecordColumn& column) {
  const std::vector<Slot>& slots = column.integer ? binding.integer_slots : binding.real_slots;
  return slots[static_cast<std::size_t>(column.column)];
}

// The first outcome that no quantity draws; empty if all are drawn.
std::string undrawn(const BoundModel& bound, const std::vector<Replicate>& replicates) {
  std::vector<std::string> outcomes =
      outcome_variables(bound.program.inputs().program.program, bound.program.data());
  if (outcomes.empty()) outcomes = bound.model.stan().outcomes;
  if (outcomes.empty() && replicates.empty()) return "y";
  for (const std::string& outcome : outcomes) {
    if (std::ranges::find(replicates, outcome, &Replicate::variable) == replicates.end()) {
      return outcome;
    }
  }
  return {};
}

bool agrees_with(const Slot& slot, double mean, double sd) {
  const SlotFacts& facts = slot.facts;
  if (facts.sd) {
    return std::abs(mean - facts.mean.value_or(0.0)) <= *facts.sd && sd >= *facts.sd / 3.0 &&
           sd <= *facts.sd * 3.0;
  }
  if (!facts.mean) return true;
  return is_near(mean, *facts.mean, std::max(slot.lower, facts.lower.value_or(slot.lower))) &&
         is_near(mean, *facts.mean, std::min(slot.upper, facts.upper.value_or(slot.upper)));
}

}  // namespace

MockTruths::MockTruths(const BoundModel& bound, std::uint64_t seed)
    : bound_(bound),
      seed_(seed),
      simulator_(bound.model, bound.binding),
      options_(bound.options()),
      prior_(sample_of(bound, seed)) {
  if (!simulator_.found()) {
    const ProgramInputs& inputs = bound.program.inputs();
    replicates_ = find_replicates(inputs.program.program, bound.program.data());
    if (const std::string missing = undrawn(bound, replicates_); !missing.empty()) {
      throw InputError(
          kModelUnsupported,
          fmt::format("the program cannot draw its data '{}': {}.", missing,
                      simulator_.description()),
          fmt::format(
              "Add a generated quantity {}_rep that an _rng function draws for each record.",
              missing),
          {inputs.file, 0, 0});
    }
    program_.emplace(inputs.program, bound.program.data(), stan_functions(), options_);
  }
  constexpr std::size_t kPilot = 512;
  const std::vector<MockRecord> pilot =
      make_mock_records(bound.binding, kPilot, generator_of(seed, kPilotStream, 0));
  for (std::size_t i = 0; i < prior_.theta.size(); ++i) {
    if (agrees(prior_.theta[i], pilot)) agreeing_.push_back(i);
  }
}

std::vector<std::string> MockTruths::outcomes() const {
  if (simulator_.found()) return simulator_.outcomes();
  std::vector<std::string> names;
  for (const Replicate& replicate : replicates_) names.push_back(replicate.variable);
  return names;
}

double MockTruths::agreeing_share() const {
  return static_cast<double>(agreeing_.size()) / static_cast<double>(prior_.theta.size());
}

bool MockTruths::agrees(std::span<const double> theta,
                        const std::vector<MockRecord>& covariates) const {
  constexpr double kFewestAllowed = 0.99;
  if (!simulator_.found()) return true;
  std::vector<MockRecord> records = covariates;
  const auto count = static_cast<double>(records.size());
  if (draw_unbounded(theta, records) < kFewestAllowed * count) return false;
  return std::ranges::all_of(simulator_.columns(), [&](const RecordColumn& column) {
    const auto place = static_cast<std::size_t>(column.column);
    double sum = 0.0, squares = 0.0;
    for (const MockRecord& record : records) {
      const double value = column.integer ? record.integers[place] : record.reals[place];
      sum += value;
      squares += value * value;
    }
    const double mean = sum / count;
    return agrees_with(slot_of(bound_.binding, column), mean,
                       std::sqrt(std::max(0.0, squares / count - mean * mean)));
  });
}

double MockTruths::draw_unbounded(std::span<const double> theta,
                                  std::vector<MockRecord>& records) const {
  SeededStream stream =
      generator_of(seed_, kPilotStream, 1).stream({.label = StreamLabel::predictive_draw});
  const std::vector<UniformSource> uniforms(kLanes, [&stream] { return unit_uniform(stream); });
  const auto block = simulator_.block(theta);
  double allowed = 0.0;
  for (std::size_t first = 0; first < records.size(); first += kLanes) {
    const auto some =
        std::span(records).subspan(first, std::min<std::size_t>(kLanes, records.size() - first));
    const std::uint32_t drawn = block->draw(some, false, uniforms);
    for (std::size_t lane = 0; lane < some.size(); ++lane) {
      if ((drawn >> lane & 1) != 0 && is_allowed(some[lane])) allowed += 1.0;
    }
  }
  return allowed;
}

bool MockTruths::is_allowed(const MockRecord& record) const {
  return std::ranges::all_of(simulator_.columns(), [&](const RecordColumn& column) {
    const auto place = static_cast<std::size_t>(column.column);
    const Slot& slot = slot_of(bound_.binding, column);
    return can_be_cell(column.integer ? record.integers[place] : record.reals[place], slot,
                       bound_.binding.columns[slot.column]);
  });
}

std::span<const double> MockTruths::theta(std::size_t table) const {
  const std::size_t all = agreeing_.empty() ? prior_.theta.size() : agreeing_.size();
  // Neighbours of the sample are not quite independent: neighbouring tables take distant ones.
  SeededStream stream =
      generator_of(seed_, kOrderStream, table / all).stream({.label = StreamLabel::sampling});
  std::vector<std::size_t> order(all);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = all; left > 1; --left) {
    const auto other = static_cast<std::size_t>(unit_uniform(stream) * static_cast<double>(left));
    std::swap(order[left - 1], order[std::min(other, left - 1)]);
  }
  const std::size_t chosen = order[table % all];
  return prior_.theta[agreeing_.empty() ? chosen : agreeing_[chosen]];
}

std::vector<MockRecord> MockTruths::rows(std::size_t table, std::size_t count) const {
  const SeededGenerator generator = generator_of(seed_, 3, table);
  std::vector<MockRecord> records = make_mock_records(bound_.binding, count, generator);
  draw(theta(table), records, generator);
  return records;
}

void MockTruths::draw(std::span<const double> theta, std::vector<MockRecord>& records,
                      const SeededGenerator& generator) const {
  if (simulator_.found()) {
    simulator_.simulate(theta, records, generator);
    return;
  }
  SeededStream stream = generator.stream({.label = StreamLabel::predictive_draw});
  draw_outcomes_at(theta, records, bound_.binding, *program_, replicates_, stream);
}

void MockTruths::append(std::size_t table, std::span<const MockRecord> rows,
                        PreparedRecords& records) const {
  std::optional<MockUnitSizes> units;
  if (bound_.binding.unit) {
    units.emplace(bound_.binding.unit->max_rows, generator_of(seed_, 3, table));
  }
  for (const MockRecord& row : rows) {
    records.append(row.reals, row.integers);
    if (units) records.assign_last_row(static_cast<std::uint32_t>(units->next() - 1));
  }
}

}  // namespace dpvi
