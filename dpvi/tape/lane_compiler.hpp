#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <dpvi/tape/lane_program.hpp>
#include <dpvi/tape/scalar_program.hpp>

namespace dpvi {

// Numbers of one adjoint store that the reverse sweep must find zero.
struct ZeroRange {
  AdjointStore where{};
  std::int32_t first = 0;
  std::int32_t count = 0;
};

// A root compiled for evaluation: three programs and the columns that join them.
template <class T>
struct CompiledTape {
  // Record-only values. Column i of a prepared record is slot real_columns[i] of the data program;
  // index columns are rounded to integers.
  std::optional<ScalarProgram> data;
  std::vector<std::int32_t> real_columns;
  std::vector<std::int32_t> index_columns;

  std::optional<ScalarProgram> uniform;

  std::vector<ForwardInstruction<T>> forward;
  std::vector<PullInstruction<T>> pulls;
  std::vector<ZeroRange> zeros;
  std::int32_t lane_numbers = 0;     // size of the lane values
  std::int32_t adjoint_numbers = 0;  // size of the adjoints in the workspace
  Operand root;
  std::optional<AdjointOperand> root_adjoint;  // none where the root does not depend on theta
};

template <class T>
CompiledTape<T> compile_tape(const Graph& graph, NodeId root, std::int32_t theta_size,
                             const LaneKernels<T>& kernels);

extern template CompiledTape<double> compile_tape(const Graph&, NodeId, std::int32_t,
                                                  const LaneKernels<double>&);

}  // namespace dpvi
