#pragma once

#include <cstddef>
#include <cstdint>

#include <dpvi/tape/gradient_rows.hpp>
#include <dpvi/tape/graph.hpp>

namespace dpvi {

// Records evaluated together. A lane vector is kLanes neighbouring numbers, one per record; entry
// i of a lane value stands at i * kLanes.
inline constexpr int kLanes = 16;

// Where an operand's numbers are. Uniform numbers are single and hold for all lanes.
enum class Source : std::uint8_t { uniform, lane, data, index };

// Where an adjoint is: in the workspace, or, for parameters, in the caller's gradient.
enum class AdjointStore : std::uint8_t { workspace, gradient };

// Entry i of an operand stands at offset + i * stride, both counted in numbers (of one lane
// vector: kLanes of them). Stride 0 repeats a scalar.
template <class Where>
struct Location {
  Where where{};
  std::int32_t offset = 0;
  std::int32_t stride = 0;
};
using Operand = Location<Source>;
using AdjointOperand = Location<AdjointStore>;

// Where a short step's lane vectors are. Repeated ones hold a uniform number in every lane.
enum class StepPlace : std::uint8_t { repeated, lane, data, workspace, gradient };
inline constexpr int kStepPlaces = 5;

struct StepOperand {
  StepPlace where{};
  std::int32_t offset = 0;
  friend constexpr bool operator==(const StepOperand&, const StepOperand&) = default;
};

// What a short step computes: operations, then pulls of the adjoint in operand 0.
enum class StepOp : std::uint8_t {
  copy,
  negate,
  exp,
  square,
  logical_not,
  add,
  sub,
  mul,
  mul_add,  // operand 0 * operand 1 + operand 2, rounded twice
  mul_sub,  // operand 0 * operand 1 - operand 2
  sub_mul,  // operand 2 - operand 0 * operand 1
  lt,
  le,
  eq,
  ne,
  logical_and,
  logical_or,
  select,
  product,
  scaled,
  where,
  where_not
};

// One operation on lane vectors (short_steps.hpp).
struct ShortStep {
  StepOp op{};
  bool accumulate = false;
  StepOperand out;
  StepOperand operands[3];
};

// Consecutive short steps.
struct StepRange {
  std::int32_t first = 0;
  std::int32_t count = 0;
};

// Blocks in which short steps are walked together.
inline constexpr int kStepBlocks = 4;

// Everything an instruction may touch while one block of records is evaluated.
template <class T>
struct Frame {
  const T* values[3];         // by Source
  const std::int32_t* index;  // index columns, one lane vector each
  T* lane;                    // lane values, to be written
  T* adjoints[2];             // by AdjointStore
  // For short steps, by StepPlace; null where nothing may be written.
  const ShortStep* steps;
  const T* read[kStepPlaces];
  T* written[kStepPlaces];
  std::ptrdiff_t strides[kStepPlaces];  // from a block to the one that follows it
};

// One step of the forward sweep: computes a lane value and, where the reverse sweep will want
// them, its derivatives. Offsets below 0 mean "not wanted". Bit i of `uniform` says that argument
// i is uniform.
struct ForwardInstruction {
  Op op = Op::constant;
  unsigned uniform = 0;
  std::int32_t length = 0;   // entries of the result; of the argument for reductions
  std::int32_t indices = 0;  // entries of a gather's index
  Operand arguments[kMostArguments];
  std::int32_t out = 0;
  std::int32_t partials[kMostArguments] = {-1, -1, -1, -1};
  Attributes shape{};
  StepRange steps;  // unless empty, this run of steps is all that the instruction does
};

// How one argument's adjoint follows from its user's.
enum class Pull : std::uint8_t {
  copy,
  negate,
  product,        // times factor 0
  scaled,         // times factor 0 and factor 1, which is uniform
  difference,     // times 2 (factor 0 - factor 1)
  where,          // where factor 0 is not 0
  where_not,      // where factor 0 is 0
  scatter,        // to the entries that a gather took
  matmul_first,   // matrix product, factor 0 is the second matrix
  matmul_second,  // matrix product, factor 0 is the first matrix
  solve_back,     // minus the transpose of factor 0, the inverse of a lower triangular matrix
};

// One step of the reverse sweep: target (+)= adjoint times the derivative of one argument.
struct PullInstruction {
  Pull pull{};
  unsigned uniform = 0;  // bit i: factor i is uniform
  std::int32_t length = 0;
  std::int32_t indices = 0;
  bool accumulate = false;  // else the target is overwritten: this is the first to write it
  AdjointOperand adjoint;
  AdjointOperand target;
  Operand factors[2];
  Attributes shape{};
  StepRange steps;  // as above
};

// Where a lane finds its coordinate of a row: base + index * step, where the index, one of the
// record's integer columns, is in [0, extent).
struct OwnCoordinates {
  std::int32_t index_offset = 0;
  std::int32_t extent = 0;
  std::int32_t base = 0;
  std::int32_t step = 0;
};

// The kernels of one instruction set. All compute every lane by the same operations in the same
// order, so a record's result depends neither on its lane nor on its neighbours.
template <class T>
struct LaneKernels {
  using Forward = void (*)(const ForwardInstruction&, const Frame<T>&);
  using Reverse = void (*)(const PullInstruction&, const Frame<T>&);
  Forward (*forward)(const ForwardInstruction& instruction);
  Reverse (*reverse)(const PullInstruction& pull);
  // A run of short steps in blocks that follow one another.
  void (*walk)(const StepRange& steps, const Frame<T>* frames, int blocks);
  // The lanes' coordinates in a row of their own, kNoCoordinate in lanes without a valid index,
  // whose entries of the row become zero.
  void (*own)(const OwnCoordinates& row, const std::int32_t* index, T* entries, std::int32_t* own);
  // value = root in every lane; seed, unless null, is 1 where it is finite and 0 elsewhere.
  void (*finish)(const Operand& root, const Frame<T>& frame, T* value, T* seed);
};

}  // namespace dpvi
