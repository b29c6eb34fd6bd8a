#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <dpvi/tape/lane_kernels.hpp>
#include <dpvi/tape/reference_evaluator.hpp>

namespace dpvi {

struct LanePlan;
class RecordTape;

// Numbers on a boundary that suits vector instructions.
class LaneBuffer {
 public:
  explicit LaneBuffer(std::size_t size) : storage_(size + kSlack), size_(size) {}
  double* data();
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kSlack = 8;
  std::vector<double> storage_;
  std::size_t size_;
};

// The changing part of an evaluation: one per thread. Belongs to the tape it was made for.
class TapeWorkspace {
 public:
  explicit TapeWorkspace(const RecordTape& tape);

 private:
  friend class RecordTape;
  LaneBuffer uniform_;
  LaneBuffer lane_;
  LaneBuffer adjoints_;
};

// Prepared columns of kLanes records: entry column * kLanes + lane. Lanes without a record may
// hold anything; what comes out of them means nothing.
struct LaneBlock {
  const double* reals = nullptr;
  const std::int32_t* ints = nullptr;
};

// Log density of one record and its gradient, compiled from a graph: a value that may depend on
// parameters, constants and one record. Immutable, so threads may share it.
//
// Guarantee: what comes out for a record is a bit-exact function of that record, of theta and of
// the tape, the same in every lane and beside any neighbours.
class RecordTape {
 public:
  RecordTape(const Graph& graph, NodeId root, std::int32_t theta_size,
             InstructionSet set = best_instruction_set());
  ~RecordTape();
  RecordTape(RecordTape&&) noexcept;
  RecordTape& operator=(RecordTape&&) noexcept;

  std::int32_t theta_size() const { return theta_size_; }
  // Columns of a prepared record.
  std::int32_t real_columns() const;
  std::int32_t int_columns() const;

  // Computes what depends on theta alone. Before the first block of every draw.
  void begin_draw(TapeWorkspace& workspace, std::span<const double> theta) const;

  // log_density[kLanes], and gradient[theta_size * kLanes] with entry j of lane l at
  // j * kLanes + l. A lane whose log density is not finite has a gradient of zeros.
  void evaluate_block(TapeWorkspace& workspace, const LaneBlock& block, double* log_density,
                      double* gradient) const;
  void evaluate_block_value(TapeWorkspace& workspace, const LaneBlock& block,
                            double* log_density) const;

 private:
  friend class TapeWorkspace;
  friend class RecordPreparer;

  std::unique_ptr<const LanePlan> plan_;
  const LaneKernels<double>* kernels_;
  std::vector<LaneKernels<double>::Forward> forward_;  // kernel of each instruction
  std::vector<LaneKernels<double>::Reverse> reverse_;  // kernel of each pull
  std::int32_t theta_size_;
};

// Turns a record as the table gives it into the columns a tape reads: those of its values that are
// used, and what can be computed from the record alone. One per thread.
class RecordPreparer {
 public:
  explicit RecordPreparer(const RecordTape& tape);

  // Writes tape.real_columns() and tape.int_columns() numbers.
  void prepare(RecordValues record, double* reals, std::int32_t* ints);

 private:
  const RecordTape* tape_;
  std::vector<double> slots_;
};

}  // namespace dpvi
