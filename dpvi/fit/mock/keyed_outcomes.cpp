#include <dpvi/fit/mock/keyed_outcomes.hpp>

#include <cstring>
#include <utility>

#include <dpvi/random/unit_uniform.hpp>

namespace dpvi {

OutcomeSimulation outcome_simulation(std::shared_ptr<const OutcomeSimulator> simulator,
                                     const RecordTape& tape, const RecordWidth& width,
                                     std::size_t count) {
  std::vector<std::int32_t> integers, reals;
  for (const RecordColumn& column : simulator->columns()) {
    (column.integer ? integers : reals).push_back(column.column);
  }
  return {.simulator = std::move(simulator),
          .columns = tape.columns_that_read(integers, reals),
          .width = width,
          .count = count};
}

class KeyedOutcomes::Lanes final : public OutcomeLanes {
 public:
  Lanes(const KeyedOutcomes& outcomes, std::uint64_t step, std::span<const double> theta)
      : simulation_(outcomes.simulation_),
        step_(step),
        block_(simulation_.simulator->block(theta)),
        preparer_(outcomes.tape_),
        reals_(static_cast<std::size_t>(outcomes.tape_.real_columns())),
        integers_(static_cast<std::size_t>(outcomes.tape_.int_columns())),
        bytes_(simulation_.width.slots() * sizeof(std::int32_t)) {
    streams_.reserve(kLanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      ContentStream& stream = streams_.emplace_back(outcomes.key_);
      uniforms_.emplace_back([&stream] { return unit_uniform(stream); });
      rows_.push_back({std::vector<double>(simulation_.width.reals),
                       std::vector<std::int32_t>(simulation_.width.integers)});
    }
  }

  void load(std::span<const std::int32_t> slots, std::uint64_t place) override {
    again_ = false;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::uint8_t* to = bytes_.data();
      for (std::size_t i = 0; i < simulation_.width.slots(); ++i) {
        std::memcpy(to, &slots[i * kLanes + lane], sizeof(std::int32_t));
        to += sizeof(std::int32_t);
      }
      streams_[lane].start({.step = step_, .place = place}, bytes_);
      MockRecord& row = rows_[lane];
      const std::size_t size_of_reals = row.reals.size() * sizeof(double);
      if (size_of_reals > 0) std::memcpy(row.reals.data(), bytes_.data(), size_of_reals);
      if (row.integers.empty()) continue;
      std::memcpy(row.integers.data(), bytes_.data() + size_of_reals,
                  bytes_.size() - size_of_reals);
    }
  }

  std::uint32_t draw(std::span<double> reals, std::span<std::int32_t> integers) override {
    const std::uint32_t drawn = block_->draw(rows_, std::exchange(again_, true), uniforms_);
    const PreparedColumns& columns = simulation_.columns;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      preparer_.prepare({rows_[lane].reals, rows_[lane].integers}, reals_.data(), integers_.data());
      for (std::size_t i = 0; i < columns.reals.size(); ++i) {
        reals[i * kLanes + lane] = reals_[static_cast<std::size_t>(columns.reals[i])];
      }
      for (std::size_t i = 0; i < columns.ints.size(); ++i) {
        integers[i * kLanes + lane] = integers_[static_cast<std::size_t>(columns.ints[i])];
      }
    }
    return drawn;
  }

 private:
  static constexpr std::size_t kLanes = RecordTable::kLanes;

  const OutcomeSimulation& simulation_;
  std::uint64_t step_;
  std::unique_ptr<OutcomeBlock> block_;
  RecordPreparer preparer_;
  std::vector<double> reals_;  // one row, prepared
  std::vector<std::int32_t> integers_;
  std::vector<std::uint8_t> bytes_;
  std::vector<ContentStream> streams_;
  std::vector<UniformSource> uniforms_;
  std::vector<MockRecord> rows_;
  bool again_ = false;
};

KeyedOutcomes::KeyedOutcomes(OutcomeSimulation simulation, const RecordTape& tape, ContentKey key)
    : simulation_(std::move(simulation)), tape_(tape), key_(std::move(key)) {}

std::unique_ptr<OutcomeLanes> KeyedOutcomes::begin(std::uint64_t step,
                                                   std::span<const double> theta) const {
  return std::make_unique<Lanes>(*this, step, theta);
}

}  // namespace dpvi
