#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <dpvi/tape/compile/adjoint_writes.hpp>
#include <dpvi/tape/compile/lane_values.hpp>
#include <dpvi/tape/compile/theta_rows.hpp>

namespace dpvi {

// Plans the reverse sweep, which pulls adjoints from the root back to the parameters. The sweep
// passes through lane values and, with the same instructions, through values that depend on
// parameters alone. The derivatives of the latter are the same for all records of a draw.
class LaneAdjoints {
 public:
  LaneAdjoints(const Graph& graph, const ThetaRows& rows, LaneValues& values);

  // `nodes` holds everything that the root needs, arguments before users.
  void plan(NodeId root, std::span<const NodeId> nodes);

  const std::vector<AdjointInstruction>& instructions() const { return instructions_; }
  std::vector<ZeroRange> zeros() const { return writes_.zero_ranges(); }
  std::int32_t adjoint_numbers() const { return workspace_vectors_ * kLanes; }
  const std::optional<AdjointOperand>& root_adjoint() const { return root_adjoint_; }

 private:
  // Adjoints of consecutive entries. Positions count lane vectors.
  struct Range {
    AdjointStore store{};
    std::int32_t first = 0;
    std::int32_t stride = 1;
  };
  struct Rule {
    AdjointRule kind{};
    std::int32_t length = 0;
    Operand factors[2];
    bool one_adjoint = false;  // one adjoint serves all entries
  };

  struct Entry {
    NodeId id;
    std::int32_t entry = 0;
  };

  // An adjoint that is not stored but equals a stored one times factors, as in AdjointRule::negate,
  // product or scaled. A factor comes from lanes only if everything that follows is uniform.
  struct Scaled {
    Range range;
    Rule rule;
  };

  bool is_active(NodeId id) const { return depends_on_theta(graph_.space(id)); }
  NodeId skip_nan_checks(NodeId id) const;
  Range adjoint(NodeId id);
  std::vector<std::int32_t> positions(const Range& range, std::int32_t count) const;
  bool passes_back(NodeId id, std::size_t argument) const;
  void count_uses(NodeId root, std::span<const NodeId> nodes);

  void pull(NodeId id, std::size_t argument);
  void pull_elementwise(NodeId id, std::size_t argument);
  Rule twice(const Operand& x, std::int32_t length);
  void pull_reduction(NodeId id, std::size_t argument);
  void pull_pack(NodeId id, std::size_t argument);
  void pull_gather(NodeId id);
  void pull_matmul(NodeId id, std::size_t argument);
  void pull_solve(NodeId id, std::size_t argument);
  Range solved_back(NodeId id);
  void pull_factor(NodeId id, const Range& minus_w);
  Entry origin(NodeId id, std::int32_t entry) const;
  void emit(NodeId id, std::size_t argument, const Rule& rule, std::int32_t first_entry = 0);
  void add_instruction(AdjointInstruction instruction, std::span<const std::int32_t> targets,
                       bool always_adds);
  bool share_adjoint(NodeId id, NodeId argument, std::int32_t first_entry);
  bool scale_adjoint(NodeId id, NodeId argument, const Rule& rule, std::int32_t first_entry);
  bool scale_range(const Range& range, NodeId argument, const Rule& rule);
  static Rule from_entry(const Rule& rule, std::int32_t first);
  Rule combined(const Rule& first, const Rule& second);
  Range stored_adjoint(NodeId id);
  static AdjointOperand location(const Range& range);
  AdjointInstruction instruction_for(const Range& from, NodeId target, AdjointRule kind);
  AdjointInstruction instruction_for(NodeId id, NodeId target, AdjointRule kind);

  const Graph& graph_;
  const ThetaRows& rows_;
  LaneValues& values_;
  AdjointWrites writes_;
  std::vector<AdjointInstruction> instructions_;
  std::map<NodeId, std::int32_t> offsets_;  // in lane vectors
  std::map<NodeId, Scaled> scaled_;
  std::map<NodeId, Range> solved_;  // for solve_lower nodes: minus the adjoint of b
  std::map<NodeId, int> uses_;      // count of nodes that pass an adjoint to it; each slice is one
  std::set<NodeId> live_;           // nodes whose adjoint is written
  std::int32_t workspace_vectors_ = 0;
  std::optional<AdjointOperand> root_adjoint_;
};

}  // namespace dpvi
