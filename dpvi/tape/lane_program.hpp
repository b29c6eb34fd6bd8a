#pragma once

#include <cstdint>

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

// Everything an instruction may touch while one block of records is evaluated.
template <class T>
struct Frame {
  const T* values[3];         // by Source
  const std::int32_t* index;  // index columns, one lane vector each
  T* lane;                    // lane values, to be written
  T* adjoints[2];             // by AdjointStore
};

// One step of the forward sweep: computes a lane value and, where the reverse sweep will want
// them, its derivatives. Offsets below 0 mean "not wanted".
template <class T>
struct ForwardInstruction {
  void (*kernel)(const ForwardInstruction&, const Frame<T>&) = nullptr;
  Op op = Op::constant;
  std::int32_t length = 0;   // entries of the result; of the argument for reductions
  std::int32_t indices = 0;  // entries of a gather's index
  Operand arguments[3];
  std::int32_t out = 0;
  std::int32_t partials[2] = {-1, -1};
  Attributes shape{};
};

// One step of the reverse sweep: target (+)= adjoint times the derivative of one argument.
template <class T>
struct PullInstruction {
  void (*kernel)(const PullInstruction&, const Frame<T>&) = nullptr;
  std::int32_t length = 0;
  std::int32_t indices = 0;
  bool accumulate = false;  // else the target is overwritten: this is the first to write it
  AdjointOperand adjoint;
  AdjointOperand target;
  Operand factors[2];
  Attributes shape{};
};

// How one argument's adjoint follows from its user's.
enum class Pull : std::uint8_t {
  copy,
  negate,
  product,        // times factor 0
  difference,     // times 2 (factor 0 - factor 1)
  where,          // where factor 0 is not 0
  where_not,      // where factor 0 is 0
  scatter,        // to the entries that a gather took
  matmul_first,   // matrix product, factor 0 is the second matrix
  matmul_second,  // matrix product, factor 0 is the first matrix
};

// The kernels of one instruction set. All compute every lane by the same operations in the same
// order, so a record's result depends neither on its lane nor on its neighbours.
template <class T>
struct LaneKernels {
  using Forward = decltype(ForwardInstruction<T>::kernel);
  using Reverse = decltype(PullInstruction<T>::kernel);
  // Bit i of `uniform` says that argument i is uniform.
  Forward (*forward)(Op op, unsigned uniform);
  Reverse (*pull)(Pull pull, unsigned uniform);
  // out = value (scalar, where uniform says), and seed = 1 in lanes where it is finite, else 0.
  void (*finish)(const Operand& root, const Frame<T>& frame, T* value, T* seed);
};

}  // namespace dpvi
