#include <dpvi/tape/graph/terms.hpp>

#include <map>

namespace dpvi {

TermDifference remove_common_terms(std::span<const NodeId> first, std::span<const NodeId> second) {
  std::map<NodeId, int> surplus;  // occurrences in second not yet matched
  for (const NodeId term : second) ++surplus[term];
  TermDifference difference;
  for (const NodeId term : first) {
    if (const auto found = surplus.find(term); found != surplus.end() && found->second > 0) {
      --found->second;
    } else {
      difference.only_first.push_back(term);
    }
  }
  for (const auto& [term, count] : surplus) {
    difference.only_second.insert(difference.only_second.end(), static_cast<std::size_t>(count),
                                  term);
  }
  return difference;
}

NodeId add_terms(GraphBuilder& builder, std::span<const NodeId> terms) {
  // With fewer terms than this, packing costs more than it saves.
  constexpr std::size_t kWorthPacking = 4;
  std::map<Op, std::vector<NodeId>> alike;
  for (const NodeId term : terms) {
    const NodeId scalar = builder.sum(term);
    alike[builder.graph()[scalar].op].push_back(scalar);
  }
  NodeId total = builder.constant(0.0);
  for (const auto& [op, scalars] : alike) {
    if (scalars.size() >= kWorthPacking) {
      const NodeId packed = builder.pack(scalars);
      if (builder.graph()[packed].op != Op::pack) {
        total = builder.add(total, builder.sum(packed));
        continue;
      }
    }
    for (const NodeId scalar : scalars) total = builder.add(total, scalar);
  }
  return total;
}

NodeId subtract_terms(GraphBuilder& builder, std::span<const NodeId> first,
                      std::span<const NodeId> second) {
  const TermDifference difference = remove_common_terms(first, second);
  return builder.sub(add_terms(builder, difference.only_first),
                     add_terms(builder, difference.only_second));
}

}  // namespace dpvi
