#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <dpvi/tape/compile/lane_program.hpp>
#include <dpvi/tape/compile/record_columns.hpp>

namespace dpvi {

// Plans the forward sweep: the location of every value, and the instructions for the values that
// need lanes.
class LaneValues {
 public:
  LaneValues(const Graph& graph, NodeId root, std::span<const NodeId> nodes);

  const RecordColumns& columns() const { return columns_; }
  const ScalarProgram& uniform() const { return *uniform_; }
  const std::vector<ForwardInstruction>& instructions() const { return instructions_; }
  std::int32_t lane_numbers() const { return lane_numbers_; }
  // Offsets of scalar products that have a single user. No derivative reads them.
  std::set<std::int32_t> products_read_once() const;

  // The location of a value, as an operation of any length sees it: scalars repeat.
  Operand operand(NodeId id) const;
  // The same for the index of a gather, which may be an integer column.
  Operand index_operand(NodeId id) const;
  // The derivatives of a node's `length` entries with respect to an argument. This call also
  // requests that they are saved when the value is computed.
  Operand partial(NodeId id, std::size_t argument, std::int32_t length);
  // Products of uniform operands, and a constant, computed once per draw.
  Operand uniform_product(const Operand& a, const Operand& b, std::int32_t length);
  Operand uniform_constant(double value);

 private:
  std::int32_t allocate(std::int32_t lane_vectors);
  void place_in_packs(std::span<const NodeId> nodes);
  void plan(NodeId id);
  void plan_pack(NodeId id);
  void plan_solve(NodeId id);
  Operand place(NodeId id) const;

  const Graph& graph_;
  RecordColumns columns_;
  std::optional<ScalarProgram> uniform_;
  std::vector<ForwardInstruction> instructions_;
  std::map<NodeId, std::size_t> instruction_of_;
  std::map<NodeId, std::int32_t> offsets_;
  std::map<NodeId, int> uses_;
  std::int32_t lane_numbers_ = 0;
};

// The number of entries that an operation with these arguments runs over.
std::int32_t longest_argument(const Graph& graph, const Node& node);

constexpr bool is_uniform(const Operand& operand) { return operand.where == Source::uniform; }

}  // namespace dpvi
