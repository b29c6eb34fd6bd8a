#pragma once

#include <cstdint>
#include <optional>

#include <dpvi/tape/graph/graph_builder.hpp>

namespace dpvi {

enum class TransformKind : std::uint8_t {
  identity,
  bounded,  // lower, upper or both
  affine,   // offset, multiplier or both
  ordered,
  positive_ordered,
  simplex,
  unit_vector,
  sum_to_zero_vector,
  sum_to_zero_matrix,
  cholesky_factor_corr,
  cholesky_factor_cov,
  corr_matrix,
  cov_matrix,
  column_stochastic_matrix,
  row_stochastic_matrix
};

// The constraining transform of one parameter, or of one element of an array of parameters. A
// vector has one column. Bounds, offset and multiplier have one entry, or one for each entry of the
// value.
struct Transform {
  TransformKind kind = TransformKind::identity;
  std::int32_t rows = 1;
  std::int32_t columns = 1;
  std::optional<NodeId> lower{}, upper{}, offset{}, multiplier{};
};

struct ConstrainedNode {
  NodeId value;         // rows * columns entries, column-major
  NodeId log_jacobian;  // scalar: log |d value / d free|
};

bool is_supported(TransformKind kind);

// The number of unconstrained values that the transform reads.
std::int32_t free_size(const Transform& transform);

// Applies Stan's transform to `free`, a node of free_size() entries. The simplex transform is that
// of Stan 2.37 and later.
ConstrainedNode constrain(GraphBuilder& builder, const Transform& transform, NodeId free);

// The inverse transform, for all kinds except identity, bounded and affine. NaN where Stan rejects
// the value.
NodeId unconstrain(GraphBuilder& builder, const Transform& transform, NodeId value);

}  // namespace dpvi
