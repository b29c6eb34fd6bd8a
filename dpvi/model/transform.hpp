#pragma once

#include <cstdint>
#include <optional>

#include <dpvi/tape/graph_builder.hpp>

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

// How one parameter (one element of an array of them) is made from unconstrained numbers. A vector
// has one column. Bounds, offset and multiplier have one entry, or one for each of the value's.
struct Transform {
  TransformKind kind = TransformKind::identity;
  std::int32_t rows = 1;
  std::int32_t columns = 1;
  std::optional<NodeId> lower{}, upper{}, offset{}, multiplier{};
};

struct ConstrainedNode {
  NodeId value;         // rows * columns entries, column by column
  NodeId log_jacobian;  // one number: log |d value / d free|
};

bool is_supported(TransformKind kind);

// How many unconstrained numbers the transform reads.
std::int32_t free_size(const Transform& transform);

// Stan's transform (2.37 and later, which matters for the simplex) of `free`, a node of
// free_size() entries.
ConstrainedNode constrain(GraphBuilder& builder, const Transform& transform, NodeId free);

// The free numbers that a value comes from, for the kinds of vectors and matrices whose entries
// belong together. NaN where Stan refuses the value.
NodeId unconstrain(GraphBuilder& builder, const Transform& transform, NodeId value);

}  // namespace dpvi
