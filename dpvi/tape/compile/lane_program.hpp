#pragma once

#include <cstddef>
#include <cstdint>

#include <dpvi/tape/compile/gradient_rows.hpp>
#include <dpvi/tape/graph/graph.hpp>

namespace dpvi {

// The number of records evaluated together. A lane vector is kLanes consecutive numbers, one per
// record. Entry i of a lane value is at i * kLanes.
inline constexpr int kLanes = 16;

// The storage that holds an operand. A uniform number is stored once and holds for all lanes.
enum class Source : std::uint8_t { uniform, lane, data, index };

// The storage that holds an adjoint: the workspace or, for parameters, the caller's gradient.
enum class AdjointStore : std::uint8_t { workspace, gradient };

// Entry i of an operand is at offset + i * stride. Both count single numbers, so a lane vector
// counts as kLanes. Stride 0 repeats a scalar.
template <class Where>
struct Location {
  Where where{};
  std::int32_t offset = 0;
  std::int32_t stride = 0;
};
using Operand = Location<Source>;
using AdjointOperand = Location<AdjointStore>;

// The storage that holds a short step's lane vectors. A `repeated` vector holds a uniform number in
// every lane.
enum class StepPlace : std::uint8_t { repeated, lane, data, workspace, gradient };
inline constexpr int kStepPlaces = 5;

struct StepOperand {
  StepPlace where{};
  std::int32_t offset = 0;
  friend constexpr bool operator==(const StepOperand&, const StepOperand&) = default;
};

// The operations of short steps: forward operations, then pulls of the adjoint in operand 0.
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

// A run of consecutive short steps.
struct StepRange {
  std::int32_t first = 0;
  std::int32_t count = 0;
};

// The number of blocks in which short steps are executed together.
inline constexpr int kStepBlocks = 4;

// Everything that an instruction may touch while one block of records is evaluated.
template <class T>
struct Frame {
  const T* values[3];         // indexed by Source
  const std::int32_t* index;  // index columns, one lane vector each
  T* lane;                    // lane values, writable
  T* adjoints[2];             // indexed by AdjointStore
  // For short steps, indexed by StepPlace. A null pointer in `written` means read-only.
  const ShortStep* steps;
  const T* read[kStepPlaces];
  T* written[kStepPlaces];
  std::ptrdiff_t strides[kStepPlaces];  // from one block to the next
};

// One step of the forward sweep. It computes a lane value and, if the reverse sweep needs them, its
// derivatives. An offset below 0 means "not needed". Bit i of `uniform` is set if argument i is
// uniform.
struct ForwardInstruction {
  Op op = Op::constant;
  unsigned uniform = 0;
  std::int32_t length = 0;   // entries of the result, or of the argument for reductions
  std::int32_t indices = 0;  // entries of a gather's index
  Operand arguments[kMaxArguments];
  std::int32_t out = 0;
  std::int32_t partials[kMaxArguments] = {-1, -1, -1, -1};
  Attributes shape{};
  StepRange steps;  // unless empty, the instruction consists of this run of steps alone
};

// The rule by which an argument's adjoint follows from its user's adjoint.
enum class AdjointRule : std::uint8_t {
  copy,
  negate,
  product,        // times factor 0
  scaled,         // times factor 0 and factor 1, which is uniform
  difference,     // times 2 (factor 0 - factor 1)
  where,          // kept where factor 0 is not 0
  where_not,      // kept where factor 0 is 0
  scatter,        // added to the entries that a gather read
  matmul_first,   // matrix product, factor 0 is the second matrix
  matmul_second,  // matrix product, factor 0 is the first matrix
  solve_back,     // times minus the transpose of factor 0, the inverse of a lower triangular matrix
};

// One step of the reverse sweep: target (+)= adjoint times the derivative of one argument.
struct PullInstruction {
  AdjointRule pull{};
  unsigned uniform = 0;  // bit i: factor i is uniform
  std::int32_t length = 0;
  std::int32_t indices = 0;
  bool accumulate = false;  // else this is the first write, which overwrites the target
  AdjointOperand adjoint;
  AdjointOperand target;
  Operand factors[2];
  Attributes shape{};
  StepRange steps;  // as in ForwardInstruction
};

// The coordinates of an own row. A lane's coordinate is base + index * step, where the index is one
// of the record's integer columns and lies in [0, extent).
struct OwnCoordinates {
  std::int32_t index_offset = 0;
  std::int32_t extent = 0;
  std::int32_t base = 0;
  std::int32_t step = 0;
};

// The kernels of one instruction set. They compute every lane by the same operations in the same
// order, so a record's result depends neither on its lane nor on its neighbours.
template <class T>
struct LaneKernels {
  using Forward = void (*)(const ForwardInstruction&, const Frame<T>&);
  using Reverse = void (*)(const PullInstruction&, const Frame<T>&);
  Forward (*forward)(const ForwardInstruction& instruction);
  Reverse (*reverse)(const PullInstruction& pull);
  // Executes a run of short steps in consecutive blocks.
  void (*walk)(const StepRange& steps, const Frame<T>* frames, int blocks);
  // Writes the lanes' coordinates in an own row. A lane without a valid index gets kNoCoordinate,
  // and its entry of the row becomes zero.
  void (*own)(const OwnCoordinates& row, const std::int32_t* index, T* entries, std::int32_t* own);
  // Writes the root of every lane to `value`. `seed`, unless null, is 1 where the root is finite
  // and 0 elsewhere.
  void (*finish)(const Operand& root, const Frame<T>& frame, T* value, T* seed);
};

}  // namespace dpvi
