#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/tape/compile/gradient_rows.hpp>
#include <dpvi/tape/graph/graph.hpp>

namespace dpvi {

// Consecutive entries of theta, or every stride-th entry.
struct ThetaRange {
  std::int32_t first = 0;
  std::int32_t stride = 1;
};

// The range of theta that a node's entries occupy, or nullopt if the node is not a piece of theta.
std::optional<ThetaRange> theta_range(const Graph& graph, NodeId id);

// An own row, in which each lane has its own coordinate: base + index * step, where the lane's
// index is in [0, extent).
struct OwnRow {
  NodeId index;
  std::int32_t index_entry = 0;
  std::int32_t extent = 0;
  std::int32_t base = 0;
  std::int32_t step = 0;
};

// Own rows whose coordinates may coincide.
struct OwnRowGroup {
  std::int32_t first_row = 0;
  std::int32_t first_own = 0;
  std::int32_t count = 0;
  bool in_order = false;  // coordinates increase with the row, whatever the indices are
};

// Decides which coordinates of theta get a row of the gradient. If a record uses a part of theta
// only by gathering entries with its own indices, that part gets one row per gathered entry,
// however long it is.
class ThetaRows {
 public:
  // `nodes` holds everything that the root needs.
  ThetaRows(const Graph& graph, NodeId root, std::span<const NodeId> nodes,
            std::int32_t theta_size);

  const GradientRows& rows() const { return rows_; }
  const std::vector<OwnRow>& per_lane_rows() const { return per_lane_rows_; }
  const std::vector<OwnRowGroup>& groups() const { return groups_; }

  // The row of a coordinate that all lanes share. Shared coordinates that some node uses together
  // are in consecutive rows.
  std::int32_t row_of(std::int32_t coordinate) const {
    return row_of_[static_cast<std::size_t>(coordinate)];
  }
  // The first row of a gather with own rows, or nullopt for any other node.
  std::optional<std::int32_t> first_row(NodeId gather) const;

 private:
  struct Gather {
    NodeId id;
    std::int32_t low = 0;  // range of coordinates that it may touch
    std::int32_t high = 0;
  };

  void find_gathers(std::span<const NodeId> nodes);
  void share(NodeId id);
  void share(std::int32_t low, std::int32_t high);
  void mark_shared_coordinates(NodeId root, std::span<const NodeId> nodes);
  void drop_what_is_shared();
  void number_rows();
  std::size_t number_group(std::size_t first);
  void add_own_rows(NodeId gather);

  const Graph& graph_;
  std::vector<Gather> gathers_;
  std::vector<bool> shared_;  // indexed by coordinate
  std::vector<std::int32_t> row_of_;
  std::map<NodeId, std::int32_t> first_rows_;
  GradientRows rows_;
  std::vector<OwnRow> per_lane_rows_;
  std::vector<OwnRowGroup> groups_;
};

}  // namespace dpvi
