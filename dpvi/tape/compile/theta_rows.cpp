#include <dpvi/tape/compile/theta_rows.hpp>

#include <algorithm>

namespace dpvi {
namespace {

// Own rows save work if they are few compared with the coordinates they stand for.
constexpr std::int32_t kFewCoordinates = 32;
constexpr std::int32_t kCoordinatesPerRow = 4;
// Rows whose coordinates may coincide are compared pairwise.
constexpr std::int32_t kMaxPerLaneRows = 64;

bool pays(std::int32_t rows, std::int32_t coordinates) {
  return rows <= kMaxPerLaneRows && coordinates >= kFewCoordinates &&
         coordinates >= kCoordinatesPerRow * rows;
}

}  // namespace

std::optional<ThetaRange> theta_range(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  if (node.op == Op::theta) return ThetaRange{node.attributes[0], 1};
  if (node.op != Op::slice) return std::nullopt;
  const Node& base = graph[node.arguments[0]];
  if (base.op != Op::theta) return std::nullopt;
  return ThetaRange{base.attributes[0] + node.attributes[0], node.attributes[1]};
}

ThetaRows::ThetaRows(const Graph& graph, NodeId root, std::span<const NodeId> nodes,
                     std::int32_t theta_size)
    : graph_(graph),
      shared_(static_cast<std::size_t>(theta_size), false),
      row_of_(static_cast<std::size_t>(theta_size), -1) {
  find_gathers(nodes);
  mark_shared_coordinates(root, nodes);
  drop_what_is_shared();
  number_rows();
}

std::optional<std::int32_t> ThetaRows::first_row(NodeId gather) const {
  const auto found = first_rows_.find(gather);
  return found == first_rows_.end() ? std::nullopt : std::optional(found->second);
}

// Finds gathers from theta itself whose indices are columns of the record.
void ThetaRows::find_gathers(std::span<const NodeId> nodes) {
  for (const NodeId id : nodes) {
    const Node& node = graph_[id];
    if (node.op != Op::gather || graph_.space(node.arguments[1]) != Space::data) continue;
    const auto range = theta_range(graph_, node.arguments[0]);
    const auto [extent, index_stride, block, stride, offset] = node.attributes;
    if (!range || extent == 0) continue;
    const std::int32_t index_reach = (extent - 1) * index_stride * range->stride;
    const std::int32_t block_reach = (block - 1) * stride * range->stride;
    const std::int32_t at = range->first + offset * range->stride;
    const Gather gather{id, at + std::min(0, index_reach) + std::min(0, block_reach),
                        at + std::max(0, index_reach) + std::max(0, block_reach)};
    if (pays(node.length, gather.high - gather.low + 1)) gathers_.push_back(gather);
  }
}

void ThetaRows::share(std::int32_t low, std::int32_t high) {
  std::fill(shared_.begin() + low, shared_.begin() + high + 1, true);
}

// Also shares the coordinates between the entries of a piece, so that its rows have the stride of
// the piece.
void ThetaRows::share(NodeId id) {
  const auto range = theta_range(graph_, id);
  if (!range) return;
  const std::int32_t last = range->first + (graph_.length(id) - 1) * range->stride;
  share(std::min(range->first, last), std::max(range->first, last));
}

void ThetaRows::mark_shared_coordinates(NodeId root, std::span<const NodeId> nodes) {
  share(root);
  for (const NodeId id : nodes) {
    const Node& node = graph_[id];
    const bool own = std::ranges::any_of(gathers_, [&](const Gather& g) { return g.id == id; });
    if (node.op == Op::slice || own) continue;
    for (const NodeId argument : node.arguments) share(argument);
  }
}

void ThetaRows::drop_what_is_shared() {
  const auto meets_shared = [&](const Gather& gather) {
    const auto begin = shared_.begin() + gather.low;
    return std::find(begin, shared_.begin() + gather.high + 1, true) !=
           shared_.begin() + gather.high + 1;
  };
  for (auto found = std::ranges::find_if(gathers_, meets_shared); found != gathers_.end();
       found = std::ranges::find_if(gathers_, meets_shared)) {
    share(found->low, found->high);
    gathers_.erase(found);
  }
}

void ThetaRows::number_rows() {
  std::ranges::stable_sort(gathers_, {}, &Gather::low);
  std::size_t next = 0;
  for (std::size_t coordinate = 0; coordinate < shared_.size(); ++coordinate) {
    const auto number = static_cast<std::int32_t>(coordinate);
    if (next < gathers_.size() && gathers_[next].low == number) next = number_group(next);
    if (!shared_[coordinate]) continue;
    row_of_[coordinate] = rows_.size();
    rows_.coordinates.push_back(number);
  }
}

// Numbers the rows of gathers with overlapping coordinates, starting from the first. Returns the
// start of the next group.
std::size_t ThetaRows::number_group(std::size_t first) {
  OwnRowGroup group{rows_.size(), rows_.per_lane_rows, 0, false};
  std::int32_t high = gathers_[first].high;
  std::size_t next = first;
  for (; next < gathers_.size() && gathers_[next].low <= high; ++next) {
    high = std::max(high, gathers_[next].high);
    add_own_rows(gathers_[next].id);
  }
  group.count = rows_.size() - group.first_row;
  const bool one_index =
      next == first + 1 && graph_.length(graph_[gathers_[first].id].arguments[1]) == 1;
  group.in_order =
      one_index && (group.count == 1 || per_lane_rows_.back().base > per_lane_rows_.end()[-2].base);
  groups_.push_back(group);
  return next;
}

void ThetaRows::add_own_rows(NodeId gather) {
  const Node& node = graph_[gather];
  const ThetaRange range = *theta_range(graph_, node.arguments[0]);
  const auto [extent, index_stride, block, stride, offset] = node.attributes;
  first_rows_[gather] = rows_.size();
  for (std::int32_t entry = 0; entry < node.length; ++entry) {
    const std::int32_t within = offset + entry % block * stride;
    per_lane_rows_.push_back({node.arguments[1], entry / block, extent,
                              range.first + within * range.stride, index_stride * range.stride});
    rows_.coordinates.push_back(GradientRows::kOwn);
    ++rows_.per_lane_rows;
  }
}

}  // namespace dpvi
