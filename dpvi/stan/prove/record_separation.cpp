#include <dpvi/stan/prove/record_separation.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include <dpvi/tape/graph/reachable.hpp>

namespace dpvi {
namespace {

using Mask = std::uint8_t;  // bit set of the records that an entry depends on
using Entry = std::pair<NodeId, std::int32_t>;

bool is_one_record(unsigned mask) { return std::popcount(mask) <= 1; }

double number_at(const Node& constant, std::int32_t entry) {
  return constant.values[constant.length == 1 ? 0 : static_cast<std::size_t>(entry)];
}

// Determines which records each entry of each node depends on.
class EntryRecords {
 public:
  EntryRecords(const Graph& graph, const ProgramRun& run, std::span<const NodeId> roots)
      : graph_(graph), run_(run) {
    for (const NodeId id : reachable_from(graph, roots)) add(id);
  }

  Mask at(NodeId id, std::int32_t entry) const {
    const std::vector<Mask>& masks = masks_.at(id);
    return masks[masks.size() == 1 ? 0 : static_cast<std::size_t>(entry)];
  }
  Mask all(NodeId id) const {
    unsigned mask = 0;
    for (const Mask one : masks_.at(id)) mask |= one;
    return static_cast<Mask>(mask);
  }
  // The entry that holds the same number before slices, packs, and selects whose branches are equal
  // or of which one is NaN.
  Entry origin(Entry entry) const {
    const std::vector<Entry>& origins = origins_.at(entry.first);
    return origins[origins.size() == 1 ? 0 : static_cast<std::size_t>(entry.second)];
  }

 private:
  void add(NodeId id) {
    const Node& node = graph_[id];
    std::vector<Mask>& masks = masks_[id];
    std::vector<Entry>& origins = origins_[id];
    for (std::int32_t i = 0; i < node.length; ++i) {
      const Entry found = origin_of(id, i);
      origins.push_back(found);
      const bool depends = depends_on_record(node.space);
      masks.push_back(!depends            ? Mask{0}
                      : found.first == id ? mask_of(node, i)
                                          : at(found.first, found.second));
    }
  }

  Entry origin_of(NodeId id, std::int32_t i) const {
    const Node& node = graph_[id];
    if (node.op == Op::slice) {
      return origin({node.arguments[0], node.attributes[0] + i * node.attributes[1]});
    }
    if (node.op == Op::pack) return origin(part_of_pack(node, i));
    if (node.op != Op::select) return {id, i};
    const Entry yes = origin({node.arguments[1], i});
    const Entry no = origin({node.arguments[2], i});
    // If the entry is NaN, the density has no value, whichever record is the cause.
    if (is_nan(yes)) return no;
    return yes == no || is_nan(no) || are_equal_constants(yes, no) ? yes : Entry(id, i);
  }

  bool is_nan(Entry entry) const {
    const Node& node = graph_[entry.first];
    return node.op == Op::constant && std::isnan(number_at(node, entry.second));
  }

  bool are_equal_constants(Entry a, Entry b) const {
    const Node& first = graph_[a.first];
    const Node& second = graph_[b.first];
    return first.op == Op::constant && second.op == Op::constant &&
           number_at(first, a.second) == number_at(second, b.second);
  }

  Entry part_of_pack(const Node& node, std::int32_t i) const {
    std::size_t part = 0;
    for (; i >= graph_.length(node.arguments[part]); ++part) {
      i -= graph_.length(node.arguments[part]);
    }
    return {node.arguments[part], i};
  }

  Mask mask_of(const Node& node, std::int32_t i) const {
    unsigned mask = 0;
    const auto& arguments = node.arguments;
    switch (op_class(node.op)) {
      case OpClass::input:
        return record_of(node.op, node.attributes[0] + i);
      case OpClass::unary:
      case OpClass::binary:
      case OpClass::select:
      case OpClass::several:
        for (const NodeId argument : arguments) mask |= at(argument, i);
        break;
      case OpClass::slice:
      case OpClass::pack:
        break;  // never their own origin
      case OpClass::gather:
        return gathered(node, i);
      case OpClass::matmul: {
        const auto [rows, inner, columns, row_stride, column_stride] = node.attributes;
        for (std::int32_t k = 0; k < inner; ++k) {
          mask |= at(arguments[0], (i % rows) * row_stride + k * column_stride);
          mask |= at(arguments[1], (i / rows) * inner + k);
        }
        break;
      }
      case OpClass::reduction:
      case OpClass::pair_reduction:
      case OpClass::solve_lower:
        for (const NodeId argument : arguments) mask |= all(argument);
        break;
    }
    return static_cast<Mask>(mask);
  }

  Mask gathered(const Node& node, std::int32_t i) const {
    const auto [extent, index_stride, length, stride, offset] = node.attributes;
    unsigned mask = at(node.arguments[1], i / length);
    if (!depends_on_record(graph_.space(node.arguments[0]))) return static_cast<Mask>(mask);
    for (std::int32_t index = 0; index < extent; ++index) {
      mask |= at(node.arguments[0], offset + index * index_stride + i % length * stride);
    }
    return static_cast<Mask>(mask);
  }

  // Columns of several symbolic records are grouped by variable, then by record.
  Mask record_of(Op op, std::int32_t column) const {
    const std::int32_t records = static_cast<std::int32_t>(run_.record_count());
    for (const auto* variables : {&run_.columns(), &run_.latents()}) {
      for (const RecordVariable& variable : *variables) {
        if (variable.integer != (op == Op::record_int)) continue;
        const std::int32_t from = column - variable.first_column * records;
        if (from < 0 || from >= variable.count * records) continue;
        return static_cast<Mask>(1U << static_cast<unsigned>(from / variable.count));
      }
    }
    return 0;
  }

  const Graph& graph_;
  const ProgramRun& run_;
  std::map<NodeId, std::vector<Mask>> masks_;
  std::map<NodeId, std::vector<Entry>> origins_;
};

// Splits sums into terms and checks that each term depends on one record.
class SeparationCheck {
 public:
  SeparationCheck(const Graph& graph, const EntryRecords& records)
      : graph_(graph), records_(records) {}

  // True unless it can be shown that no term of this entry needs several records at once.
  bool joins(NodeId id, std::int32_t i) {
    const Entry entry = records_.origin({id, i});
    if (is_one_record(of(entry))) return false;
    const auto known = known_.find(entry);
    if (known != known_.end()) return known->second;
    if (depth_ > kMaxDepth) return true;
    ++depth_;
    const bool found = joins_inside(entry.first, entry.second);
    --depth_;
    return known_[entry] = found;
  }

 private:
  static constexpr int kMaxDepth = 2000;

  bool joins_inside(NodeId id, std::int32_t i) {
    const Node& node = graph_[id];
    const auto& arguments = node.arguments;
    switch (node.op) {
      case Op::neg:
        return joins(arguments[0], i);
      case Op::add:
      case Op::sub:
        return joins(arguments[0], i) || joins(arguments[1], i);
      case Op::mul:
        return joins_product({arguments[0], i}, {arguments[1], i});
      case Op::div:
        return records_.at(arguments[1], i) != 0 || joins(arguments[0], i);
      case Op::select:
        return joins_select(node, i);
      case Op::sum:
        return joins_any(arguments[0]);
      case Op::dot:
        return joins_dot(arguments[0], arguments[1]);
      case Op::squared_distance:
        return joins_pair_somewhere(arguments[0], arguments[1]);
      case Op::matmul:
        return joins_matmul(node, i);
      default:
        return true;
    }
  }

  unsigned of(Entry entry) const { return records_.at(entry.first, entry.second); }

  bool joins_product(Entry a, Entry b) {
    if (is_one_record(of(a) | of(b))) return false;
    if (of(a) == 0) return joins(b.first, b.second);
    return of(b) != 0 || joins(a.first, a.second);
  }

  bool joins_any(NodeId id) {
    for (std::int32_t i = 0; i < graph_.length(id); ++i) {
      if (joins(id, i)) return true;
    }
    return false;
  }

  std::int32_t common_length(NodeId a, NodeId b) const {
    return std::max(graph_.length(a), graph_.length(b));
  }

  bool joins_dot(NodeId a, NodeId b) {
    for (std::int32_t i = 0; i < common_length(a, b); ++i) {
      if (joins_product({a, i}, {b, i})) return true;
    }
    return false;
  }

  bool joins_pair_somewhere(NodeId a, NodeId b) {
    for (std::int32_t i = 0; i < common_length(a, b); ++i) {
      if (!is_one_record(of({a, i}) | of({b, i}))) return true;
    }
    return false;
  }

  bool joins_matmul(const Node& node, std::int32_t i) {
    const auto [rows, inner, columns, row_stride, column_stride] = node.attributes;
    for (std::int32_t k = 0; k < inner; ++k) {
      if (joins_product({node.arguments[0], (i % rows) * row_stride + k * column_stride},
                        {node.arguments[1], (i / rows) * inner + k})) {
        return true;
      }
    }
    return false;
  }

  // The terms common to both branches do not depend on the mask; the remaining terms are selected
  // by it.
  bool joins_select(const Node& node, std::int32_t i) {
    const NodeId mask = node.arguments[0];
    const NodeId yes = node.arguments[1];
    const NodeId no = node.arguments[2];
    const auto nothing = [&](NodeId branch) {
      return is_forbidden(branch, i) || is_zero(branch, i);
    };
    if (nothing(yes) && nothing(no)) return false;
    if (is_forbidden(no, i) && each_decides_alone(mask, i, true)) return joins(yes, i);
    if (is_forbidden(yes, i) && each_decides_alone(mask, i, false)) return joins(no, i);
    Equalities equal;
    add_equalities(mask, i, equal);
    std::map<Entry, int> parts;
    add_parts({yes, i}, 1, equal, parts, 0);
    std::map<Entry, int> others;
    add_parts({no, i}, 1, {}, others, 0);
    for (const auto& [part, times] : parts) {
      const auto found = others.find(part);
      if (found != others.end() && found->second == times) {
        others.erase(found);
        if (joins(part.first, part.second)) return true;
      } else if (joins_masked(part, {mask, i})) {
        return true;
      }
    }
    for (const auto& [part, times] : others) {
      if (joins_masked(part, {mask, i})) return true;
    }
    return false;
  }

  bool joins_masked(Entry part, Entry mask) {
    if (is_one_record(of(part) | of(mask))) return false;
    return of(mask) != 0 || joins(part.first, part.second);
  }

  // The values of nodes that a mask implies by comparing them with constants, where it is true.
  using Equalities = std::map<NodeId, double>;

  void add_equalities(NodeId id, std::int32_t i, Equalities& equal) const {
    const Node& node = graph_[id];
    if (node.op == Op::logical_and) {
      for (const NodeId argument : node.arguments) add_equalities(argument, i, equal);
    }
    if (node.op != Op::eq) return;
    for (const std::size_t k : {0U, 1U}) {
      const Node& limit = graph_[node.arguments[1 - k]];
      if (limit.op != Op::constant || graph_.length(node.arguments[k]) != 1) continue;
      equal[node.arguments[k]] = number_at(limit, i);
    }
  }

  // The entry that x[position] denotes if the position is known, as in x[g] = x[g] + 1.
  std::optional<Entry> entry_meant(const Node& node, std::int32_t i,
                                   const Equalities& equal) const {
    if (node.op != Op::gather || node.length != node.attributes[2]) return std::nullopt;
    const Node& index = graph_[node.arguments[1]];
    if (index.op != Op::sub || graph_[index.arguments[1]].op != Op::constant) return std::nullopt;
    const auto known = equal.find(index.arguments[0]);
    if (known == equal.end()) return std::nullopt;
    const auto [extent, index_stride, length, stride, offset] = node.attributes;
    const double at = known->second - graph_[index.arguments[1]].values[0];
    if (!(at >= 0 && at < extent)) return std::nullopt;
    return Entry(node.arguments[0],
                 offset + static_cast<std::int32_t>(at) * index_stride + i * stride);
  }

  void add_parts(Entry entry, int times, const Equalities& equal, std::map<Entry, int>& parts,
                 int depth) {
    const auto [id, i] = records_.origin(entry);
    const Node& node = graph_[id];
    const bool sum = node.op == Op::add || node.op == Op::sub;
    if ((sum || node.op == Op::neg) && depth < kMaxDepth) {
      if (sum) add_parts({node.arguments[0], i}, times, equal, parts, depth + 1);
      const int last = node.op == Op::add ? times : -times;
      return add_parts({node.arguments.back(), i}, last, equal, parts, depth + 1);
    }
    if (const auto meant = entry_meant(node, i, equal); meant && depth < kMaxDepth) {
      return add_parts(*meant, times, equal, parts, depth + 1);
    }
    if (is_zero(id, i)) return;
    parts[{id, i}] += times;
  }

  bool is_zero(NodeId id, std::int32_t i) const {
    const Node& node = graph_[id];
    return node.op == Op::constant && number_at(node, i) == 0.0;
  }

  // True for NaN and -inf: a record with such a term has an undefined or zero density.
  bool is_forbidden(NodeId id, std::int32_t i) const {
    const Node& node = graph_[id];
    if (node.op == Op::select) {
      return is_forbidden(node.arguments[1], i) && is_forbidden(node.arguments[2], i);
    }
    if (node.op != Op::constant) return false;
    const double value = number_at(node, i);
    return std::isnan(value) || value == -std::numeric_limits<double>::infinity();
  }

  // True if the mask is a conjunction (or, unless `every`, a disjunction) of masks that depend on
  // one record each.
  bool each_decides_alone(NodeId mask, std::int32_t entry, bool every) const {
    const auto [id, i] = records_.origin({mask, entry});
    if (is_one_record(records_.at(id, i))) return true;
    const Node& node = graph_[id];
    switch (node.op) {
      case Op::logical_not:
        return each_decides_alone(node.arguments[0], i, !every);
      case Op::logical_and:
      case Op::min:
      case Op::mul:
        return every && each_decides_alone(node.arguments[0], i, every) &&
               each_decides_alone(node.arguments[1], i, every);
      case Op::logical_or:
      case Op::max:
        return !every && each_decides_alone(node.arguments[0], i, every) &&
               each_decides_alone(node.arguments[1], i, every);
      case Op::lt:
      case Op::le:
        return extreme_decides(node.arguments[0], node.arguments[1], every) ||
               extreme_decides(node.arguments[1], node.arguments[0], !every);
      case Op::min_of:
      case Op::max_of:
        return every == (node.op == Op::min_of) && each_entry_alone(node.arguments[0], every);
      default:
        return false;
    }
  }

  // True for a comparison of a limit with the minimum (or maximum) over entries with one record
  // each.
  bool extreme_decides(NodeId limit, NodeId extreme, bool every) const {
    const Node& node = graph_[extreme];
    const bool is_extreme = node.op == (every ? Op::min_of : Op::max_of);
    return is_extreme && records_.all(limit) == 0 && has_one_record_each(node.arguments[0]);
  }

  bool has_one_record_each(NodeId id) const {
    for (std::int32_t i = 0; i < graph_.length(id); ++i) {
      if (!is_one_record(records_.at(id, i))) return false;
    }
    return true;
  }

  bool each_entry_alone(NodeId id, bool every) const {
    for (std::int32_t i = 0; i < graph_.length(id); ++i) {
      if (!each_decides_alone(id, i, every)) return false;
    }
    return true;
  }

  const Graph& graph_;
  const EntryRecords& records_;
  std::map<Entry, bool> known_;
  int depth_ = 0;
};

}  // namespace

std::vector<Spot> statements_joining_records(const Graph& graph, const ProgramRun& run) {
  std::vector<NodeId> roots;
  for (const TargetTerm& term : run.terms()) roots.push_back(term.node);
  const EntryRecords records(graph, run, roots);
  SeparationCheck sums(graph, records);
  std::vector<Spot> found;
  for (const TargetTerm& term : run.terms()) {
    if (sums.joins(term.node, 0)) found.push_back(term.spot);
  }
  return found;
}

}  // namespace dpvi
