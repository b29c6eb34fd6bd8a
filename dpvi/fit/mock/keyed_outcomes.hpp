#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <dpvi/fit/mock/outcome_simulator.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/gradient/simulated_outcomes.hpp>
#include <dpvi/random/content_streams.hpp>

namespace dpvi {

// What clipping simulates of the records of one program: everything except the key. Public.
struct OutcomeSimulation {
  std::shared_ptr<const OutcomeSimulator> simulator;
  PreparedColumns columns;  // of a prepared record, those that depend on the outcome
  RecordWidth width;
  std::size_t count = 16;  // outcomes beside the own one
};

// The tape must be that of the simulator's model.
OutcomeSimulation outcome_simulation(std::shared_ptr<const OutcomeSimulator> simulator,
                                     const RecordTape& tape, const RecordWidth& width,
                                     std::size_t count);

// Simulated outcomes of private records. Their random numbers are a pseudo-random function, with a
// secret key, of the step, the row's bytes and its place among the rows of its record. So what a
// record adds to a sum is a function of that record: never of its position in the table, of other
// records, of the thread or of a public seed.
//
// Guarantee: simulated outcomes of a row depend on its bytes, its place in the record, the step,
// theta and a secret key alone.
class KeyedOutcomes final : public SimulatedOutcomes {
 public:
  // `tape` must outlive this object.
  KeyedOutcomes(OutcomeSimulation simulation, const RecordTape& tape, ContentKey key = {});

  RecordWidth width() const override { return simulation_.width; }
  const PreparedColumns& columns() const override { return simulation_.columns; }
  std::size_t count() const override { return simulation_.count; }
  std::unique_ptr<OutcomeLanes> begin(std::uint64_t step,
                                      std::span<const double> theta) const override;

 private:
  class Lanes;

  OutcomeSimulation simulation_;
  const RecordTape& tape_;
  ContentKey key_;
};

}  // namespace dpvi
