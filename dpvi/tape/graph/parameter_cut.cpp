#include <dpvi/tape/graph/parameter_cut.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

#include <dpvi/base/error.hpp>
#include <dpvi/tape/graph/graph_copy.hpp>
#include <dpvi/tape/graph/reachable.hpp>

namespace dpvi {
namespace {

// For each node: true if its entries are linear in unbounded entries of theta, as far as the
// operations show.
class FreeValues {
 public:
  FreeValues(const Graph& graph, const std::vector<bool>& unbounded)
      : graph_(graph), unbounded_(unbounded), free_(graph.size(), false) {}

  void add(NodeId id) { free_[id.index] = is_free(graph_[id]); }
  bool operator[](NodeId id) const { return free_[id.index]; }

 private:
  bool is_free(const Node& node) const {
    const auto argument = [&](std::size_t i) { return free_[node.arguments[i].index]; };
    switch (node.op) {
      case Op::theta:
        for (std::int32_t i = 0; i < node.length; ++i) {
          if (!unbounded_[static_cast<std::size_t>(node.attributes[0] + i)]) return false;
        }
        return true;
      case Op::neg:
      case Op::slice:
      case Op::sum:
      case Op::div:
        return argument(0);
      case Op::add:
      case Op::sub:
      case Op::mul:
      case Op::dot:
      case Op::matmul:
        return argument(0) || argument(1);
      case Op::solve_lower:
        return argument(2);
      case Op::pack:
        return std::ranges::all_of(node.arguments, [&](NodeId part) { return free_[part.index]; });
      default:
        return false;
    }
  }

  const Graph& graph_;
  const std::vector<bool>& unbounded_;
  std::vector<bool> free_;
};

// A flow from the entries of theta to what records read. Every number that may be cut is an edge
// whose capacity is its size.
class CutFinder {
 public:
  CutFinder(const Graph& graph, const std::vector<bool>& unbounded)
      : graph_(graph), free_(graph, unbounded), entries_(unbounded.size()) {}

  ParameterCut find(std::span<const NodeId> roots) {
    source_ = add_vertex(network_);
    sink_ = add_vertex(network_);
    for (const NodeId id : reachable_from(graph_, roots)) {
      free_.add(id);
      if (graph_.space(id) == Space::uniform) add_value(id);
      if (!depends_on_record(graph_.space(id))) continue;
      for (const NodeId argument : graph_[id].arguments) read(argument);
    }
    for (const NodeId root : roots) read(root);
    push_relabel_max_flow(network_, source_, sink_);
    return cut_edges();
  }

 private:
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  using Network = boost::adjacency_list<
      boost::vecS, boost::vecS, boost::directedS, boost::no_property,
      boost::property<
          boost::edge_capacity_t, std::int64_t,
          boost::property<boost::edge_residual_capacity_t, std::int64_t,
                          boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;
  using Vertex = Traits::vertex_descriptor;

  // A number that may be cut: the flow passes from `in` to `out`.
  struct Passage {
    Vertex in;
    Vertex out;
  };

  static constexpr std::int64_t kUncut = std::int64_t{1} << 50;
  static constexpr std::int64_t kNumber = 1 << 12;

  void connect(Vertex from, Vertex to, std::int64_t capacity) {
    const auto there = boost::add_edge(from, to, network_).first;
    const auto back = boost::add_edge(to, from, network_).first;
    boost::put(boost::edge_capacity, network_, there, capacity);
    boost::put(boost::edge_capacity, network_, back, std::int64_t{0});
    boost::put(boost::edge_reverse, network_, there, back);
    boost::put(boost::edge_reverse, network_, back, there);
  }

  Passage passage(std::int64_t capacity) {
    const Passage made{add_vertex(network_), add_vertex(network_)};
    connect(made.in, made.out, capacity);
    return made;
  }

  void add_value(NodeId id) {
    const Node& node = graph_[id];
    // A computed number costs a little more than an entry of theta.
    const bool cuttable = node.op != Op::theta && free_[id];
    const Passage own = passage(cuttable ? kNumber * node.length + 1 : kUncut);
    values_.emplace(id, own);
    if (node.op == Op::theta) {
      for (std::int32_t i = 0; i < node.length; ++i) {
        connect(entry(node.attributes[0] + i).out, own.in, kUncut);
      }
    }
    for (const NodeId argument : node.arguments) {
      if (const auto found = values_.find(argument); found != values_.end()) {
        connect(found->second.out, own.in, kUncut);
      }
    }
  }

  const Passage& entry(std::int32_t place) {
    std::optional<Passage>& own = entries_[static_cast<std::size_t>(place)];
    if (!own) {
      own = passage(kNumber);
      connect(source_, own->in, kUncut);
    }
    return *own;
  }

  void read(NodeId id) {
    if (const auto found = values_.find(id); found != values_.end()) {
      connect(found->second.out, sink_, kUncut);
    }
  }

  // The passages from what the source still reaches to what it no longer reaches.
  ParameterCut cut_edges() const {
    std::vector<bool> reached(num_vertices(network_), false);
    std::vector<Vertex> open = {source_};
    reached[source_] = true;
    while (!open.empty()) {
      const Vertex vertex = open.back();
      open.pop_back();
      for (auto [edge, end] = out_edges(vertex, network_); edge != end; ++edge) {
        const Vertex to = target(*edge, network_);
        if (reached[to] || boost::get(boost::edge_residual_capacity, network_, *edge) <= 0)
          continue;
        reached[to] = true;
        open.push_back(to);
      }
    }
    const auto is_cut = [&](const Passage& one) { return reached[one.in] && !reached[one.out]; };
    ParameterCut cut;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i] && is_cut(*entries_[i])) cut.theta.push_back(static_cast<std::int32_t>(i));
    }
    for (const auto& [id, own] : values_) {
      if (is_cut(own)) cut.nodes.push_back(id);
    }
    return cut;
  }

  const Graph& graph_;
  FreeValues free_;
  Network network_;
  Vertex source_ = 0, sink_ = 0;
  std::map<NodeId, Passage> values_;
  std::vector<std::optional<Passage>> entries_;
};

// A piece of the old theta in the new one.
NodeId theta_in_cut(const Node& node, const ParameterCut& cut, Graph& target) {
  std::vector<NodeId> entries;
  std::int32_t first = 0;
  bool consecutive = true;
  for (std::int32_t i = 0; i < node.length; ++i) {
    const auto found = std::ranges::lower_bound(cut.theta, node.attributes[0] + i);
    if (found == cut.theta.end() || *found != node.attributes[0] + i) {
      throw InternalError(kInternal, "A record reads a parameter outside its cut.", "Report this.");
    }
    const auto place = static_cast<std::int32_t>(found - cut.theta.begin());
    if (i == 0) first = place;
    consecutive = consecutive && place == first + i;
    entries.push_back(target.intern(Op::theta, 1, {}, {place}));
  }
  if (consecutive) return target.intern(Op::theta, node.length, {}, {first});
  return target.intern(Op::pack, node.length, entries);
}

}  // namespace

std::size_t ParameterCut::size(const Graph& graph) const {
  std::size_t sum = theta.size();
  for (const NodeId node : nodes) sum += static_cast<std::size_t>(graph.length(node));
  return sum;
}

ParameterCut smallest_cut(const Graph& graph, std::span<const NodeId> roots,
                          const std::vector<bool>& unbounded) {
  return CutFinder(graph, unbounded).find(roots);
}

GraphOfCut in_cut(const Graph& graph, std::span<const NodeId> roots, const ParameterCut& cut) {
  auto target = std::make_shared<Graph>();
  std::map<NodeId, std::int32_t> places;
  auto place = static_cast<std::int32_t>(cut.theta.size());
  for (const NodeId node : cut.nodes) {
    places.emplace(node, place);
    place += graph.length(node);
  }
  const auto replacement = [&](NodeId id) -> std::optional<NodeId> {
    if (const auto found = places.find(id); found != places.end()) {
      return target->intern(Op::theta, graph.length(id), {}, {found->second});
    }
    if (graph[id].op == Op::theta) return theta_in_cut(graph[id], cut, *target);
    return std::nullopt;
  };
  std::vector<NodeId> copies = copy_graph(graph, roots, *target, replacement);
  const double zero = 0.0;
  const NodeId flat = target->intern(Op::constant, 1, {}, {}, {&zero, 1});
  return {std::move(target), std::move(copies), flat};
}

}  // namespace dpvi
