#include <dpvi/fit/mock/enumerated_outcome.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/fit/mock/record_lanes.hpp>
#include <dpvi/random/unit_uniform.hpp>

namespace dpvi {
namespace {

// The number of values that are tried. Records whose outcome is larger are not drawn.
constexpr double kMostTried = 128.0;
// Values beyond one of this probability do not matter, once half of the probability is passed.
constexpr double kNegligible = 1e-12;
constexpr double kSumTolerance = 1e-6;
constexpr double kLargestTried = 1e9;

}  // namespace

EnumeratedOutcome::EnumeratedOutcome(const RecordModel& model, std::int32_t column,
                                     std::int32_t lowest, std::int32_t highest)
    : graph_(model.stan().graph),
      tape_(*graph_, model.stan().record, model.stan().free_size),
      column_{true, column},
      lowest_(lowest),
      highest_(highest) {}

namespace {

// The search for the outcome of one record.
struct Search {
  double uniform = 0.0;
  double passed = 0.0;  // probability of the values so far
  std::int32_t outcome = 0;
  bool crossed = false;  // the outcome is known
  bool ended = false;    // no further value has a probability that matters

  void pass(std::int32_t value, double log_probability) {
    const double probability = std::isfinite(log_probability) ? std::exp(log_probability) : 0.0;
    passed += probability;
    if (!crossed && passed > uniform) {
      crossed = true;
      outcome = value;
    }
    ended = passed >= 1.0 - kNegligible || (passed > 0.5 && probability < kNegligible);
  }
  // The probabilities of all values sum to 1.
  bool succeeded() const { return crossed && std::abs(passed - 1.0) <= kSumTolerance; }
};

}  // namespace

// Keeps the probabilities of all values while the rest of the records stays the same.
class EnumeratedOutcome::Block : public OutcomeBlock {
 public:
  Block(const EnumeratedOutcome& outcome, std::span<const double> theta)
      : outcome_(outcome), lanes_(outcome.tape_, theta) {}

  std::uint32_t draw(std::span<MockRecord> records, bool again,
                     std::span<const UniformSource> uniforms) override {
    const auto place = static_cast<std::size_t>(outcome_.column_.column);
    if (!again) set_probabilities(records, place);
    std::uint32_t drawn = 0;
    for (std::size_t lane = 0; lane < records.size(); ++lane) {
      Search search{.uniform = uniforms[lane]()};
      std::int32_t value = outcome_.lowest_;
      for (std::size_t i = lane; i < log_probabilities_.size() && !search.ended; i += kLanes) {
        search.pass(value++, log_probabilities_[i]);
      }
      if (!search.succeeded()) continue;
      records[lane].integers[place] = search.outcome;
      drawn |= std::uint32_t{1} << lane;
    }
    return drawn;
  }

 private:
  void set_probabilities(std::span<MockRecord> records, std::size_t place) {
    std::vector<std::int32_t> own;
    for (const MockRecord& record : records) own.push_back(record.integers[place]);
    std::vector<Search> searches(records.size(), Search{.uniform = 1.0});
    log_probabilities_.clear();
    for (std::int32_t value = outcome_.lowest_; value <= outcome_.highest_; ++value) {
      for (MockRecord& record : records) record.integers[place] = value;
      const double* log_probabilities = lanes_.values(records);
      log_probabilities_.insert(log_probabilities_.end(), log_probabilities,
                                log_probabilities + kLanes);
      for (std::size_t lane = 0; lane < records.size(); ++lane) {
        searches[lane].pass(value, log_probabilities[lane]);
      }
      if (std::ranges::all_of(searches, &Search::ended)) break;
    }
    for (std::size_t lane = 0; lane < records.size(); ++lane) {
      records[lane].integers[place] = own[lane];
    }
  }

  const EnumeratedOutcome& outcome_;
  RecordLanes lanes_;
  std::vector<double> log_probabilities_;  // value * kLanes + lane
};

std::unique_ptr<OutcomeBlock> EnumeratedOutcome::block(std::span<const double> theta) const {
  return std::make_unique<Block>(*this, theta);
}

// Adds up the probabilities of the values, and takes the one at which they exceed a uniform number.
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
    const std::span<MockRecord> block =
        records.subspan(first, std::min<std::size_t>(kLanes, records.size() - first));
    std::vector<Search> searches(block.size());
    std::vector<std::int32_t> before;
    for (std::size_t lane = 0; lane < block.size(); ++lane) {
      searches[lane].uniform = unit_uniform(stream);
      before.push_back(block[lane].integers[place]);
    }
    for (std::int32_t value = lowest_; value <= highest_; ++value) {
      for (MockRecord& record : block) record.integers[place] = value;
      const double* log_probabilities = lanes.values(block);
      for (std::size_t lane = 0; lane < block.size(); ++lane) {
        searches[lane].pass(value, log_probabilities[lane]);
      }
      if (std::ranges::all_of(searches, &Search::ended)) break;
    }
    for (std::size_t lane = 0; lane < block.size(); ++lane) {
      const Search& search = searches[lane];
      const bool good = search.succeeded() && (!allowed || allowed(column_, search.outcome));
      drawn[first + lane] = good;
      block[lane].integers[place] = good ? search.outcome : before[lane];
    }
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
