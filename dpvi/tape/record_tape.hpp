#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include <dpvi/tape/gradient_rows.hpp>
#include <dpvi/tape/lane_kernels.hpp>
#include <dpvi/tape/reference_evaluator.hpp>

namespace dpvi {

struct LanePlan;
class RecordTape;

// Numbers on a boundary that suits vector instructions.
template <class T = double>
class LaneBuffer {
 public:
  explicit LaneBuffer(std::size_t size) : storage_(size + kSlack), size_(size) {}
  T* data() {
    const auto past = reinterpret_cast<std::uintptr_t>(storage_.data()) % kBoundary;
    return storage_.data() + (past == 0 ? 0 : (kBoundary - past) / sizeof(T));
  }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kBoundary = 64;  // bytes
  static constexpr std::size_t kSlack = kBoundary / sizeof(T);
  std::vector<T> storage_;
  std::size_t size_;
};

// The changing part of an evaluation: one per thread. Belongs to the tape it was made for. T is
// the precision of the lanes, float or double.
template <class T = double>
class TapeWorkspace {
 public:
  explicit TapeWorkspace(const RecordTape& tape);
  // What it points to moves with it but is not copied.
  TapeWorkspace(TapeWorkspace&&) noexcept = default;
  TapeWorkspace& operator=(TapeWorkspace&&) noexcept = default;

 private:
  friend class RecordTape;
  LaneBuffer<double> slots_;  // of the program that depends on theta alone
  LaneBuffer<T> uniform_;     // the same in the lanes' precision
  LaneBuffer<T> repeated_;    // some of them, in every lane
  LaneBuffer<T> lane_;        // of blocks that follow one another
  LaneBuffer<T> adjoints_;
  std::vector<Frame<T>> frames_;  // one a block
  LaneBuffer<T> rows_;            // of a gradient that is then spread
  std::vector<std::int32_t> own_;
};

// Prepared columns of kLanes records: entry column * kLanes + lane. Lanes without a record may
// hold anything; what comes out of them means nothing.
template <class T = double>
struct LaneBlock {
  const T* reals = nullptr;
  const std::int32_t* ints = nullptr;
};

// Log density of one record and its gradient, compiled from a graph: a value that may depend on
// parameters, constants and one record. Immutable, so threads may share it. What depends on theta
// alone, or on a record alone, is computed in double; lanes are float or double.
//
// Guarantee: what comes out for a record is a bit-exact function of that record, of theta, of the
// tape and of the precision, the same in every lane and beside any neighbours.
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
  // Which coordinates of theta a gradient in rows has.
  const GradientRows& rows() const;
  // Which of its rows are products; rows increasing.
  const std::vector<ProductRows>& products() const;

  // Computes what depends on theta alone. Before the first block of every draw.
  template <class T>
  void begin_draw(TapeWorkspace<T>& workspace, std::span<const double> theta) const;

  // log_density[kLanes], and gradient[theta_size * kLanes] with entry j of lane l at
  // j * kLanes + l. A lane whose log density is not finite has a gradient of zeros.
  template <class T>
  void evaluate_block(TapeWorkspace<T>& workspace, const LaneBlock<T>& block, T* log_density,
                      T* gradient) const;
  // The same without the coordinates that no record of the block can touch: row r of lane l at
  // r * kLanes + l. `own` takes the coordinates of the rows in which each lane has its own, kLanes
  // for each, or kNoCoordinate. In every lane the coordinates of its rows increase. Up to
  // blocks_at_once() blocks, which follow one another in each of these arrays.
  template <class T>
  void evaluate_rows(TapeWorkspace<T>& workspace, const LaneBlock<T>& block, T* log_density,
                     T* gradient, std::int32_t* own, std::size_t blocks = 1) const;
  // The same with the products left undone: the first row of each holds its factor, and what the
  // others hold means nothing.
  template <class T>
  void evaluate_factors(TapeWorkspace<T>& workspace, const LaneBlock<T>& block, T* log_density,
                        T* gradient, std::int32_t* own, std::size_t blocks = 1) const;
  // The centres of products that have them, at this draw: rows.count numbers.
  template <class T>
  void copy_centres(TapeWorkspace<T>& workspace, const ProductRows& rows, T* centres) const;
  // As many blocks as the processor's nearest cache has room for, up to a few. While a step of one
  // waits for the step before, others are at work.
  template <class T>
  std::size_t blocks_at_once() const;
  // The log density alone.
  template <class T>
  void evaluate_block_value(TapeWorkspace<T>& workspace, const LaneBlock<T>& block,
                            T* log_density) const;

 private:
  template <class T>
  friend class TapeWorkspace;
  friend class RecordPreparer;

  // The kernel of each instruction and of each pull.
  template <class T>
  struct Kernels {
    const LaneKernels<T>* table = nullptr;
    std::vector<typename LaneKernels<T>::Forward> forward;
    std::vector<typename LaneKernels<T>::Reverse> reverse;
    std::vector<typename LaneKernels<T>::Reverse> factored;
  };

  template <class T>
  Kernels<T> kernels_for(InstructionSet set) const;
  template <class T>
  std::span<const Frame<T>> frames_of(TapeWorkspace<T>& workspace, const LaneBlock<T>& block,
                                      T* gradient, std::size_t blocks) const;
  template <class T, class Instruction, class Kernel>
  void sweep(const std::vector<Instruction>& instructions, const std::vector<Kernel>& kernels,
             std::span<const Frame<T>> frames) const;
  template <class T>
  void begin_reverse(std::span<const Frame<T>> frames, T* log_density) const;
  template <class T>
  void evaluate(std::span<const Frame<T>> frames, T* log_density, std::int32_t* own,
                bool factors) const;

  std::unique_ptr<const LanePlan> plan_;
  std::tuple<Kernels<float>, Kernels<double>> kernels_;
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
