#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include <dpvi/tape/compile/gradient_rows.hpp>
#include <dpvi/tape/lanes/tape_backend.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {

struct LanePlan;
class RecordTape;

// A buffer aligned for vector instructions.
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

// The mutable state of an evaluation, one per thread. It belongs to the tape it was made for. T is
// the precision of the lanes, float or double.
template <class T = double>
class TapeWorkspace {
 public:
  explicit TapeWorkspace(const RecordTape& tape);
  // Movable but not copyable, because frames_ point into the buffers.
  TapeWorkspace(TapeWorkspace&&) noexcept = default;
  TapeWorkspace& operator=(TapeWorkspace&&) noexcept = default;

 private:
  friend class RecordTape;
  LaneBuffer<double> slots_;  // values that depend on theta alone
  LaneBuffer<T> uniform_;     // slots_ in the precision of the lanes
  LaneBuffer<T> repeated_;    // some of them, repeated in every lane
  LaneBuffer<T> lane_;        // lane values of consecutive blocks
  LaneBuffer<T> adjoints_;
  std::vector<Frame<T>> frames_;  // one per block
  LaneBuffer<T> rows_;            // gradient in rows, before it is spread
  std::vector<std::int32_t> own_;
};

// Prepared columns of kLanes records, with entry column * kLanes + lane. Lanes without a record may
// hold anything; their results are meaningless.
template <class T = double>
struct LaneBlock {
  const T* reals = nullptr;
  const std::int32_t* ints = nullptr;
};

// Some columns of a prepared record, in increasing order.
struct PreparedColumns {
  std::vector<std::int32_t> reals;
  std::vector<std::int32_t> ints;
};

// The log density of one record and its gradient, compiled from a graph. The root may depend on
// parameters, constants and one record. The tape is immutable, so threads may share it. Values that
// depend on theta alone, or on a record alone, are computed in double. Lanes are float or double.
//
// Guarantee: the result for a record is a bit-exact function of that record, theta, the tape and
// the precision. It is the same in every lane and beside any neighbours.
class RecordTape {
 public:
  RecordTape(const Graph& graph, NodeId root, std::int32_t theta_size,
             BackendKind backend = best_backend());
  ~RecordTape();
  RecordTape(RecordTape&&) noexcept;
  RecordTape& operator=(RecordTape&&) noexcept;

  std::int32_t theta_size() const { return theta_size_; }
  // The numbers of columns of a prepared record.
  std::int32_t real_columns() const;
  std::int32_t int_columns() const;
  // The columns of a prepared record that may depend on some integers and reals of the record.
  PreparedColumns columns_that_read(std::span<const std::int32_t> integers,
                                    std::span<const std::int32_t> reals = {}) const;
  // The coordinates of theta that a gradient in rows has.
  const GradientRows& rows() const;
  // The rows that are products, in increasing order.
  const std::vector<ProductRows>& products() const;

  // Computes the values that depend on theta alone. Call it before the first block of every draw.
  template <class T>
  void begin_draw(TapeWorkspace<T>& workspace, std::span<const double> theta) const;

  // Writes log_density[kLanes] and gradient[theta_size * kLanes], with entry j of lane l at
  // j * kLanes + l. A lane whose log density is not finite gets a gradient of zeros.
  template <class T>
  void evaluate_block(TapeWorkspace<T>& workspace, const LaneBlock<T>& block, T* log_density,
                      T* gradient) const;
  // The same without the coordinates that no record of the block can touch. Row r of lane l is
  // at r * kLanes + l. `own` receives the kLanes coordinates of each own row, or kNoCoordinate. In
  // every lane the coordinates of its rows increase. Up to blocks_at_once() blocks may be evaluated
  // together; they are consecutive in each of these arrays.
  template <class T>
  void evaluate_rows(TapeWorkspace<T>& workspace, const LaneBlock<T>& block, T* log_density,
                     T* gradient, std::int32_t* own, std::size_t blocks = 1) const;
  // The same with products left in factored form. The first row of each product holds its factor,
  // and the contents of its other rows are unspecified.
  template <class T>
  void evaluate_factors(TapeWorkspace<T>& workspace, const LaneBlock<T>& block, T* log_density,
                        T* gradient, std::int32_t* own, std::size_t blocks = 1) const;
  // Copies the centres of a product that has them, at this draw: rows.count numbers.
  template <class T>
  void copy_centres(TapeWorkspace<T>& workspace, const ProductRows& rows, T* centres) const;
  // The number of blocks to evaluate together: a few if they fit in the L1 cache, else one. While a
  // step of one block waits for the step before, the processor works on the others.
  template <class T>
  std::size_t blocks_at_once() const;
  // Writes the log density alone.
  template <class T>
  void evaluate_block_value(TapeWorkspace<T>& workspace, const LaneBlock<T>& block,
                            T* log_density) const;

 private:
  template <class T>
  friend class TapeWorkspace;
  friend class RecordPreparer;

  template <class T>
  const TapeBackend<T>& backend() const {
    return *std::get<std::unique_ptr<const TapeBackend<T>>>(backends_);
  }
  template <class T>
  std::span<const Frame<T>> frames_of(TapeWorkspace<T>& workspace, const LaneBlock<T>& block,
                                      T* gradient, std::size_t blocks) const;

  std::unique_ptr<const LanePlan> plan_;
  std::tuple<std::unique_ptr<const TapeBackend<float>>, std::unique_ptr<const TapeBackend<double>>>
      backends_;
  std::int32_t theta_size_;
};

// Turns a record of the table into the columns that a tape reads: the record values in use, and
// values computed from the record alone. One per thread.
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
