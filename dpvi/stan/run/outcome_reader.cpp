#include <dpvi/stan/run/outcome_reader.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <dpvi/tape/graph/entries.hpp>
#include <dpvi/tape/graph/reachable.hpp>

namespace dpvi {

void OutcomeReader::refuse(std::string reason) const {
  throw NoOutcomeLaw{fmt::format("line {}: {}", spot_.line, reason)};
}

void OutcomeReader::read(const TargetTerm& term) {
  spot_ = term.spot;
  NodeId rest = builder_.constant(0.0);
  for (const NodeId part : entries_of(builder_, term.node)) read_node(part, {}, rest);
  if (builder_.space(rest) == Space::lane && !is_flat(rest)) {
    refuse("a term depends on the record and on parameters but is not the density of an outcome");
  }
}

// True if the gradient in theta is zero wherever it exists, for any record.
bool OutcomeReader::is_flat(NodeId node) const {
  const Node& content = builder_.graph()[node];
  if (!depends_on_theta(content.space) || is_step(content.op)) return true;
  const auto first = content.op == Op::select ? 1 : 0;
  const bool passes = content.op == Op::select || content.op == Op::add || content.op == Op::sub ||
                      content.op == Op::neg || content.op == Op::mul;
  return passes && std::all_of(content.arguments.begin() + first, content.arguments.end(),
                               [&](NodeId argument) { return is_flat(argument); });
}

const DensitySite* OutcomeReader::site_of(NodeId node) const {
  const Node& content = builder_.graph()[node];
  if (content.op != Op::record_real || content.length != 1) return nullptr;
  const std::int32_t index = content.attributes[0] - sites_.first_column;
  return index < 0 ? nullptr : &sites_.sites[static_cast<std::size_t>(index)];
}

bool OutcomeReader::contains_density(NodeId node) {
  const Graph& graph = builder_.graph();
  while (contains_density_.size() < graph.size()) {
    const Node& content = graph[{static_cast<std::uint32_t>(contains_density_.size())}];
    const bool symbol = content.op == Op::record_real &&
                        content.attributes[0] + content.length > sites_.first_column;
    contains_density_.push_back(
        symbol || std::any_of(content.arguments.begin(), content.arguments.end(),
                              [&](NodeId argument) { return contains_density_[argument.index]; }));
  }
  return contains_density_[node.index];
}

// Entry `index` of a node, computed from the entries of its arguments if the node is elementwise.
NodeId OutcomeReader::entry(NodeId node, std::int32_t index) {
  const Node& content = builder_.graph()[node];
  if (content.length == 1 && content.op != Op::slice) return node;
  const auto argument = [&](std::size_t i) {
    const NodeId id = content.arguments[i];
    return entry(id, builder_.length(id) == 1 ? 0 : index);
  };
  switch (op_class(content.op)) {
    case OpClass::unary:
      return builder_.unary(content.op, argument(0));
    case OpClass::binary:
      return builder_.binary(content.op, argument(0), argument(1));
    case OpClass::select:
      return builder_.select(argument(0), argument(1), argument(2));
    case OpClass::slice:
      return entry(content.arguments[0], content.attributes[0] + index * content.attributes[1]);
    case OpClass::pack: {
      for (const NodeId part : content.arguments) {
        if (index < builder_.length(part)) return entry(part, index);
        index -= builder_.length(part);
      }
      return node;
    }
    default:
      return builder_.element(node, index);
  }
}

void OutcomeReader::read_node(NodeId node, Guard guard, NodeId& rest) {
  context_.spend(1);
  if (!contains_density(node)) {
    rest = builder_.add(rest, node);
    return;
  }
  if (const DensitySite* site = site_of(node)) return read_density(*site, guard);
  const Node& content = builder_.graph()[node];
  switch (content.op) {
    case Op::add:
      read_node(content.arguments[0], guard, rest);
      return read_node(content.arguments[1], guard, rest);
    case Op::sub:
      return read_difference(content, guard, rest);
    case Op::mul:
      return read_product(content, guard, rest);
    case Op::sum:
      for (std::int32_t i = 0; i < builder_.length(content.arguments[0]); ++i) {
        read_node(entry(content.arguments[0], i), guard, rest);
      }
      return;
    case Op::slice:
      return read_node(entry(content.arguments[0], content.attributes[0]), guard, rest);
    case Op::log_sum_exp:
      return read_mixture(content.arguments[0], guard);
    case Op::select:
      return read_choice(content, guard, rest);
    default:
      refuse("a density of record data is neither added to the target nor a part of a mixture");
  }
}

// A difference is a truncated density if the second operand is the probability of its interval.
void OutcomeReader::read_difference(const Node& difference, Guard guard, NodeId& rest) {
  const std::size_t before = steps_.size();
  const NodeId subtracted = difference.arguments[1];
  read_node(difference.arguments[0], guard, rest);
  if (!contains_density(subtracted)) {
    rest = builder_.sub(rest, subtracted);
  } else if (steps_.size() != before + 1 || !read_truncation(subtracted, steps_[before])) {
    refuse("a density is subtracted");
  }
}

// The weight of a record multiplies its density. The law of the outcome is still that density, and
// the mean gradient is zero for any weight that does not depend on the outcome.
void OutcomeReader::read_product(const Node& product, Guard guard, NodeId& rest) {
  const bool first = contains_density(product.arguments[0]);
  const NodeId density = product.arguments[first ? 0 : 1];
  const NodeId weight = product.arguments[first ? 1 : 0];
  if (contains_density(weight) || depends_on_theta(builder_.space(weight))) {
    refuse("a density is multiplied by a number that depends on parameters");
  }
  NodeId inner = builder_.constant(0.0);
  read_node(density, guard, inner);
  rest = builder_.add(rest, builder_.mul(weight, inner));
}

void OutcomeReader::read_mixture(NodeId terms, Guard guard) {
  const int choice = static_cast<int>(steps_.size());
  add_step(OutcomeStep::Kind::choose, guard);
  std::vector<NodeId> weights;
  std::vector<std::set<RecordColumn>> set;
  for (std::int32_t i = 0; i < builder_.length(terms); ++i) {
    NodeId weight = builder_.constant(0.0);
    const std::size_t before = steps_.size();
    read_node(entry(terms, i), {choice, i}, weight);
    weights.push_back(weight);
    std::set<RecordColumn>& columns = set.emplace_back();
    for (std::size_t k = before; k < steps_.size(); ++k) {
      columns.insert(steps_[k].outcome.begin(), steps_[k].outcome.end());
    }
    if (columns != set.front()) {
      refuse("the components of a mixture are densities of different columns");
    }
  }
  steps_[static_cast<std::size_t>(choice)].nodes = std::move(weights);
}

void OutcomeReader::read_choice(const Node& select, Guard guard, NodeId& rest) {
  if (read_censoring(select, guard) || read_atom(select, guard)) return;
  const NodeId mask = select.arguments[0];
  if (contains_density(mask)) refuse("a condition depends on a density");
  const int choice = static_cast<int>(steps_.size());
  add_step(OutcomeStep::Kind::decide, guard).nodes = {mask};
  NodeId rest_if_true = builder_.constant(0.0);
  NodeId rest_if_false = rest_if_true;
  read_node(select.arguments[1], {choice, 1}, rest_if_true);
  read_node(select.arguments[2], {choice, 0}, rest_if_false);
  rest = builder_.add(rest, builder_.select(mask, rest_if_true, rest_if_false));
}

OutcomeStep& OutcomeReader::add_step(OutcomeStep::Kind kind, Guard guard) {
  OutcomeStep& step = steps_.emplace_back();
  step.kind = kind;
  step.guard = guard.step;
  step.guard_value = guard.value;
  return step;
}

// Two steps exclude each other if some guard must have chosen differently for each.
bool OutcomeReader::exclude_each_other(const OutcomeStep& one, const OutcomeStep& other) const {
  std::map<int, int> chosen;
  for (const OutcomeStep* at = &one; at->guard >= 0;
       at = &steps_[static_cast<std::size_t>(at->guard)]) {
    chosen[at->guard] = at->guard_value;
  }
  for (const OutcomeStep* at = &other; at->guard >= 0;
       at = &steps_[static_cast<std::size_t>(at->guard)]) {
    const auto found = chosen.find(at->guard);
    if (found != chosen.end() && found->second != at->guard_value) return true;
  }
  return false;
}

void OutcomeReader::check_set_once(const OutcomeStep& step) const {
  for (const OutcomeStep& other : steps_) {
    if (&other == &step || exclude_each_other(step, other)) continue;
    for (const RecordColumn& column : step.outcome) {
      if (std::ranges::find(other.outcome, column) != other.outcome.end()) {
        refuse("an outcome has two densities");
      }
    }
  }
}

std::set<RecordColumn> OutcomeReader::columns_read(std::span<const NodeId> nodes) const {
  const Graph& graph = builder_.graph();
  std::set<RecordColumn> columns;
  for (const NodeId id : reachable_from(graph, nodes)) {
    const Node& node = graph[id];
    if (node.op != Op::record_real && node.op != Op::record_int) continue;
    for (std::int32_t i = 0; i < node.length; ++i) {
      columns.insert({node.op == Op::record_int, node.attributes[0] + i});
    }
  }
  return columns;
}

std::set<RecordColumn> OutcomeReader::columns_read(const OutcomeStep& step) const {
  std::vector<NodeId> nodes = step.nodes;
  for (const DrawArgument& argument : step.arguments) {
    nodes.insert(nodes.end(), argument.entries.begin(), argument.entries.end());
  }
  // A total is read before the variate is drawn.
  if (step.given_total) nodes.pop_back();
  for (const InverseOperation& inverse : step.inverse) nodes.push_back(inverse.operand);
  for (const std::optional<NodeId>& limit : {step.lower, step.upper}) {
    if (limit) nodes.push_back(*limit);
  }
  if (step.censoring) nodes.push_back(step.censoring->limit);
  return columns_read(nodes);
}

std::vector<OutcomeStep> OutcomeReader::ordered_steps() const {
  // Steps up to the next one without a guard stay together.
  struct Unit {
    std::size_t begin = 0, end = 0;
    std::set<RecordColumn> sets, reads;
  };
  std::vector<Unit> units;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].guard < 0) units.push_back({i, i, {}, {}});
    Unit& unit = units.back();
    unit.end = i + 1;
    for (const RecordColumn& column : columns_read(steps_[i])) {
      if (!unit.sets.contains(column)) unit.reads.insert(column);
    }
    unit.sets.insert(steps_[i].outcome.begin(), steps_[i].outcome.end());
  }
  std::vector<OutcomeStep> ordered;
  while (!units.empty()) {
    const auto ready = std::ranges::find_if(units, [&](const Unit& unit) {
      return std::ranges::none_of(units, [&](const Unit& other) {
        return std::ranges::any_of(
            other.sets, [&](const RecordColumn& column) { return unit.reads.contains(column); });
      });
    });
    if (ready == units.end()) {
      throw NoOutcomeLaw{"the law of an outcome depends on the outcome itself"};
    }
    const int shift = static_cast<int>(ordered.size()) - static_cast<int>(ready->begin);
    for (std::size_t i = ready->begin; i < ready->end; ++i) {
      ordered.push_back(steps_[i]);
      if (ordered.back().guard >= 0) ordered.back().guard += shift;
    }
    units.erase(ready);
  }
  return ordered;
}

}  // namespace dpvi
