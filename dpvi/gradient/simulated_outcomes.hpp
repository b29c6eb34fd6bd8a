#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <dpvi/tape/lanes/record_tape.hpp>

namespace dpvi {

// The numbers that a record has as read, before it is prepared.
struct RecordWidth {
  std::size_t reals = 0;
  std::size_t integers = 0;

  // A stored row keeps them exactly, behind its prepared columns: a real takes two integer slots.
  std::size_t slots() const { return 2 * reals + integers; }
};

// Draws other outcomes for up to kLanes rows at a time. The state of one thread in one step.
class OutcomeLanes {
 public:
  virtual ~OutcomeLanes() = default;

  // Takes the rows as read: slot i of lane k is slots[i * kLanes + k], in the layout of
  // RecordWidth. `place` is the place of the rows in their records.
  virtual void load(std::span<const std::int32_t> slots, std::uint64_t place) = 0;

  // Draws one more outcome for every row, and writes the prepared columns that depend on it: entry
  // i of lane k is [i * kLanes + k]. Bit k of the result is set if lane k was drawn.
  //
  // Contract: what a lane gets is a function of its own row, its place in the record, the step,
  // theta and a secret key. It is the same in every lane and beside any neighbours.
  virtual std::uint32_t draw(std::span<double> reals, std::span<std::int32_t> integers) = 0;
};

// The law that a program gives the outcome of a record, as draws from it. Threads may share it.
class SimulatedOutcomes {
 public:
  virtual ~SimulatedOutcomes() = default;

  virtual RecordWidth width() const = 0;
  // The columns of a prepared row that depend on the outcome.
  virtual const PreparedColumns& columns() const = 0;
  // The number of outcomes that are simulated beside a record's own.
  virtual std::size_t count() const = 0;
  // `step` must differ between the releases of a run.
  virtual std::unique_ptr<OutcomeLanes> begin(std::uint64_t step,
                                              std::span<const double> theta) const = 0;
};

}  // namespace dpvi
