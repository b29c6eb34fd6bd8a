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

// The operations of short steps: forward operations, then adjoint rules for the adjoint in operand
// 0.
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
struct AdjointInstruction {
  AdjointRule kind{};
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

}  // namespace dpvi
