#include <dpvi/stan/run/outcome_reader.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <dpvi/stan/functions/density_calls.hpp>
#include <dpvi/stan/functions/vector_draws.hpp>
#include <dpvi/tape/graph/entries.hpp>
#include <dpvi/tape/graph/reachable.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {
namespace {

// Length of a mock record that tells what a condition on ints says.
constexpr std::size_t kMaxIndicators = 1;

bool is_density(std::string_view suffix) { return suffix != "_lcdf" && suffix != "_lccdf"; }

// Multinomial variates are drawn given their total, which Stan's densities do not state.
bool is_given_total(std::string_view distribution) {
  return distribution == "multinomial" || distribution == "multinomial_logit" ||
         distribution == "dirichlet_multinomial";
}

bool same_parameters(GraphBuilder& builder, const DensitySite& one, const DensitySite& other) {
  if (one.row != other.row || one.arguments.size() != other.arguments.size()) return false;
  for (std::size_t i = 1; i < one.arguments.size(); ++i) {
    if (one.arguments[i].flat(builder) != other.arguments[i].flat(builder)) return false;
  }
  return true;
}

}  // namespace

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
      read_node(content.arguments[0], guard, rest);
      if (contains_density(content.arguments[1])) refuse("a density is subtracted");
      rest = builder_.sub(rest, content.arguments[1]);
      return;
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
  if (read_censoring(select, guard)) return;
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

bool OutcomeReader::read_censoring(const Node& select, Guard guard) {
  const DensitySite* sites[] = {site_of(select.arguments[2]), site_of(select.arguments[1])};
  if (sites[0] == nullptr || sites[1] == nullptr) return false;
  const bool observed_mask = is_density(sites[1]->suffix);
  const DensitySite& observed = *sites[observed_mask ? 1 : 0];
  const DensitySite& tail = *sites[observed_mask ? 0 : 1];
  if (!is_density(observed.suffix) || is_density(tail.suffix)) return false;
  if (!same_parameters(builder_, observed, tail) || tail.arguments[0].size() != 1) return false;
  Censoring censoring;
  censoring.limit = tail.arguments[0].flat(builder_);
  censoring.above = tail.suffix == "_lccdf";
  const std::size_t step = steps_.size();
  read_density(observed, guard);
  if (steps_.size() != step + 1) refuse("several outcomes are censored together");
  const RecordColumn outcome = steps_[step].outcome.front();
  if (columns_read(std::span(&censoring.limit, 1)).contains(outcome)) {
    refuse("the censoring limit of observed outcomes is not known: it is read from the outcome");
  }
  set_indicator(censoring, select.arguments[0], outcome, !observed_mask);
  steps_[step].censoring = censoring;
  if (censoring.indicator) steps_[step].outcome.push_back(*censoring.indicator);
  check_set_once(steps_[step]);
  return true;
}

// The condition reads the outcome itself, or one int that tells whether it is censored.
void OutcomeReader::set_indicator(Censoring& censoring, NodeId mask, const RecordColumn& outcome,
                                  bool censored_mask) {
  const std::set<RecordColumn> reads = columns_read(std::span(&mask, 1));
  std::vector<double> reals(static_cast<std::size_t>(sites_.first_column), 1.0);
  std::vector<std::int32_t> ints(kMaxIndicators, 1);
  const Graph& graph = builder_.graph();
  if (depends_on_theta(builder_.space(mask))) refuse("parameters decide what is censored");
  const auto holds = [&] { return reference_values(graph, mask, {}, {reals, ints})[0] != 0.0; };
  for (const RecordColumn& column : reads) {
    if (column.integer && column.column >= static_cast<std::int32_t>(ints.size())) {
      ints.resize(static_cast<std::size_t>(column.column) + 1, 1);
    }
  }
  if (reads.contains(outcome)) {
    if (outcome.integer || depends_on_theta(builder_.space(censoring.limit))) {
      refuse("what is censored is not known");
    }
    reals[static_cast<std::size_t>(outcome.column)] =
        reference_values(graph, censoring.limit, {}, {reals, ints})[0];
    censoring.beyond = holds() != censored_mask;
    return;
  }
  if (reads.size() != 1 || !reads.begin()->integer) refuse("what is censored is not known");
  censoring.indicator = *reads.begin();
  std::int32_t& value = ints[static_cast<std::size_t>(censoring.indicator->column)];
  std::optional<std::int32_t> observed, censored;
  for (const std::int32_t tried : {0, 1, 2, -1}) {
    value = tried;
    std::optional<std::int32_t>& found = holds() == censored_mask ? censored : observed;
    if (!found) found = tried;
  }
  if (!observed || !censored) refuse("what is censored is not known");
  censoring.observed = *observed;
  censoring.censored = *censored;
}

void OutcomeReader::read_density(const DensitySite& site, Guard guard) {
  if (!is_density(site.suffix)) {
    refuse("a tail probability is no density of an outcome, and no censoring limit is known");
  }
  const Spot before = std::exchange(spot_, site.spot);
  if (site.row->name.ends_with("_glm")) {
    read_linear_model(site, guard);
  } else {
    for (const std::vector<Value>& call : calls_by_variate(context_, *site.row, site.arguments)) {
      add_draw(*site.row, site.row->name, call, site, guard);
    }
  }
  spot_ = before;
}

// One row of x for each outcome.
void OutcomeReader::read_linear_model(const DensitySite& site, Guard guard) {
  const std::string_view name = site.row->name;
  const std::string_view plain =
      name == "normal_id_glm" ? "normal" : name.substr(0, name.size() - 4);
  const bool ordered = plain == "ordered_logistic";
  const bool categorical = plain == "categorical_logit";
  const std::size_t design = plain == "binomial_logit" ? 2 : 1;
  const Value& x = site.arguments[design];
  const Value& slopes = site.arguments[design + (ordered ? 1 : 2)];
  const bool matrix = x.type() == kMatrixType;
  const std::int64_t width = matrix ? x.columns() : x.size();
  const std::int64_t stride = matrix ? x.rows() : 1;
  const auto number = [&](const Value& value, std::int64_t i) {
    const StanType type = value.type().base == StanBase::integer ? kIntType : kRealType;
    return Value::scalar(type, value.entry(builder_, value.size() == 1 ? 0 : i));
  };
  for (std::int64_t i = 0; i < site.arguments[0].size(); ++i) {
    const NodeId row =
        builder_.slice(x.flat(builder_), static_cast<std::int32_t>(matrix ? i : 0),
                       static_cast<std::int32_t>(width), static_cast<std::int32_t>(stride));
    const auto predictor = [&](std::int64_t column) {
      const NodeId own =
          builder_.slice(slopes.flat(builder_), static_cast<std::int32_t>(column * width),
                         static_cast<std::int32_t>(width));
      return width == 0 ? builder_.constant(0.0) : builder_.dot(row, own);
    };
    std::vector<Value> call{number(site.arguments[0], i)};
    if (design == 2) call.push_back(number(site.arguments[1], i));
    if (ordered) {
      call.push_back(Value::scalar(kRealType, predictor(0)));
      call.push_back(site.arguments[design + 2]);
    } else if (categorical) {
      const Value& intercepts = site.arguments[design + 1];
      std::vector<NodeId> logits;
      for (std::int64_t k = 0; k < intercepts.size(); ++k) {
        logits.push_back(builder_.add(intercepts.entry(builder_, k), predictor(k)));
      }
      call.push_back(Value(kVectorType, {intercepts.size()}, std::move(logits)));
    } else {
      const NodeId intercept = number(site.arguments[design + 1], i).flat(builder_);
      call.push_back(Value::scalar(kRealType, builder_.add(intercept, predictor(0))));
      for (std::size_t k = design + 3; k < site.arguments.size(); ++k) {
        call.push_back(number(site.arguments[k], i));
      }
    }
    add_draw(*find_density(plain), plain, call, site, guard);
  }
}

void OutcomeReader::add_draw(const DensityRow& row, std::string_view distribution,
                             std::span<const Value> arguments, const DensitySite& site,
                             Guard guard) {
  const bool together = !row.random.empty();
  if (together ? !has_vector_draw(distribution) : !has_scalar_draw(distribution)) {
    refuse(fmt::format("there is no {}_rng", distribution));
  }
  OutcomeStep step;
  step.guard = guard.step;
  step.guard_value = guard.value;
  step.distribution = distribution;
  step.draws_together = together;
  step.outcome = outcome_columns(arguments[0]);
  for (const RecordColumn& column : step.outcome) {
    if (column.integer != row.discrete) {
      refuse(fmt::format("{} is not a distribution of {}", distribution,
                         column.integer ? "integers" : "reals"));
    }
  }
  for (const Value& value : arguments.subspan(1)) {
    step.arguments.push_back({value.entries(builder_), static_cast<std::size_t>(value.rows()),
                              static_cast<std::size_t>(value.columns())});
  }
  if (is_given_total(distribution)) {
    step.arguments.push_back({{builder_.sum(arguments[0].flat(builder_))}});
  }
  if (site.lower || site.upper) {
    if (together || site.arguments[0].size() != 1) refuse("a truncated distribution has vectors");
    if (site.lower) step.lower = site.lower->flat(builder_);
    if (site.upper) step.upper = site.upper->flat(builder_);
  }
  check_set_once(step);
  steps_.push_back(std::move(step));
}

OutcomeStep& OutcomeReader::add_step(OutcomeStep::Kind kind, Guard guard) {
  OutcomeStep& step = steps_.emplace_back();
  step.kind = kind;
  step.guard = guard.step;
  step.guard_value = guard.value;
  return step;
}

std::vector<RecordColumn> OutcomeReader::outcome_columns(const Value& variate) const {
  std::vector<RecordColumn> columns;
  for (const NodeId node : variate.entries(builder_)) {
    const Node& content = builder_.graph()[node];
    const bool integer = content.op == Op::record_int;
    if ((content.op != Op::record_real && !integer) || content.length != 1) {
      refuse("the outcome is computed from record data instead of being a column");
    }
    columns.push_back({integer, content.attributes[0]});
  }
  return columns;
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
  std::size_t count = step.arguments.size() - (is_given_total(step.distribution) ? 1 : 0);
  for (const DrawArgument& argument : std::span(step.arguments).first(count)) {
    nodes.insert(nodes.end(), argument.entries.begin(), argument.entries.end());
  }
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
