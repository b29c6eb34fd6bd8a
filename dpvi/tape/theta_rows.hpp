#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/tape/gradient_rows.hpp>
#include <dpvi/tape/graph.hpp>

namespace dpvi {

// Consecutive entries of theta, or every stride-th.
struct ThetaRange {
  std::int32_t first = 0;
  std::int32_t stride = 1;
};

// Where a node's entries are in theta, if it is a piece of theta and nothing else.
std::optional<ThetaRange> theta_range(const Graph& graph, NodeId id);

// Coordinates of one row of which each lane has its own: base + index * step where the lane's index
// is in [0, extent).
struct OwnRow {
  NodeId index;
  std::int32_t index_entry = 0;
  std::int32_t extent = 0;
  std::int32_t base = 0;
  std::int32_t step = 0;
};

// Rows that may meet in a coordinate.
struct OwnRowGroup {
  std::int32_t first_row = 0;
  std::int32_t first_own = 0;
  std::int32_t count = 0;
  bool in_order = false;  // the rows' coordinates increase whatever the indices are
};

// Decides which coordinates of theta get a row of the gradient. Where all that a record does with
// a part of theta is to gather entries from it, by indices of its own, the rows are as many as it
// gathers, however long that part is.
class ThetaRows {
 public:
  // `nodes` is everything the root needs.
  ThetaRows(const Graph& graph, NodeId root, std::span<const NodeId> nodes,
            std::int32_t theta_size);

  const GradientRows& rows() const { return rows_; }
  const std::vector<OwnRow>& own_rows() const { return own_rows_; }
  const std::vector<OwnRowGroup>& groups() const { return groups_; }

  // Of a coordinate that all lanes share. Shared coordinates that some node uses together are in
  // neighbouring rows.
  std::int32_t row_of(std::int32_t coordinate) const {
    return row_of_[static_cast<std::size_t>(coordinate)];
  }
  // First row of a gather that has rows of its own.
  std::optional<std::int32_t> first_row(NodeId gather) const;

 private:
  struct Gather {
    NodeId id;
    std::int32_t low = 0;  // coordinates it may touch are between these
    std::int32_t high = 0;
  };

  void find_gathers(std::span<const NodeId> nodes);
  void share(NodeId id);
  void share(std::int32_t low, std::int32_t high);
  void share_what_others_use(NodeId root, std::span<const NodeId> nodes);
  void drop_what_is_shared();
  void number_rows();
  std::size_t number_group(std::size_t first);
  void add_own_rows(NodeId gather);

  const Graph& graph_;
  std::vector<Gather> gathers_;
  std::vector<bool> shared_;  // by coordinate
  std::vector<std::int32_t> row_of_;
  std::map<NodeId, std::int32_t> first_rows_;
  GradientRows rows_;
  std::vector<OwnRow> own_rows_;
  std::vector<OwnRowGroup> groups_;
};

}  // namespace dpvi
