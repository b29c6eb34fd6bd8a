#include <utility>

#include <dpvi/stan/run/outcome_reader.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

// Censored and truncated outcomes, and outcomes that have one value with positive probability.
namespace dpvi {
namespace {

bool same_parameters(GraphBuilder& builder, const DensitySite& one, const DensitySite& other) {
  if (one.row != other.row || one.arguments.size() != other.arguments.size()) return false;
  for (std::size_t i = 1; i < one.arguments.size(); ++i) {
    if (one.arguments[i].flat(builder) != other.arguments[i].flat(builder)) return false;
  }
  return true;
}

}  // namespace

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
  if (steps_.size() != step + 1 || !steps_[step].inverse.empty()) {
    refuse("a censored outcome is computed from record data instead of being one column");
  }
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
  std::vector<std::int32_t> ints(1, 1);
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

// Either one distribution function, or log_diff_exp(lcdf(upper), lcdf(lower)).
bool OutcomeReader::read_truncation(NodeId probability, OutcomeStep& step) {
  const auto found = sites_of_steps_.find(static_cast<std::size_t>(&step - steps_.data()));
  if (found == sites_of_steps_.end() || step.lower || step.upper) return false;
  const DensitySite& site = *found->second;
  const auto limit_of = [&](const DensitySite* tail) {
    return tail != nullptr && same_parameters(builder_, site, *tail) &&
           site.arguments[0].size() == 1 && tail->arguments[0].size() == 1;
  };
  const auto lower_limit = [&](const DensitySite& tail) {
    const NodeId limit = tail.arguments[0].flat(builder_);
    return site.row->discrete ? builder_.add(limit, builder_.constant(1.0)) : limit;
  };
  if (const DensitySite* tail = site_of(probability)) {
    if (!limit_of(tail) || is_density(tail->suffix)) return false;
    if (tail->suffix == "_lccdf") {
      step.lower = lower_limit(*tail);
    } else {
      step.upper = tail->arguments[0].flat(builder_);
    }
    return true;
  }
  const Node& sum = builder_.graph()[probability];
  // log_diff_exp is -inf if its arguments are equal.
  const bool guarded = sum.op == Op::select && builder_.is_constant(sum.arguments[1]);
  if (guarded) return read_truncation(sum.arguments[2], step);
  if (sum.op != Op::add) return false;
  for (const std::size_t i : {0, 1}) {
    const Node& rest = builder_.graph()[sum.arguments[1 - i]];
    if (rest.op != Op::log1m_exp) continue;
    const Node& difference = builder_.graph()[rest.arguments[0]];
    if (difference.op != Op::sub || difference.arguments[1] != sum.arguments[i]) continue;
    const DensitySite* upper = site_of(sum.arguments[i]);
    const DensitySite* lower = site_of(difference.arguments[0]);
    if (!limit_of(upper) || !limit_of(lower)) return false;
    if (upper->suffix != "_lcdf" || lower->suffix != "_lcdf") return false;
    step.upper = upper->arguments[0].flat(builder_);
    step.lower = lower_limit(*lower);
    return true;
  }
  return false;
}

// if (y == value) a log probability, else a density of y and the log probability of the rest.
bool OutcomeReader::read_atom(const Node& select, Guard guard) {
  const Node& mask = builder_.graph()[select.arguments[0]];
  if (mask.op != Op::eq || contains_density(select.arguments[1])) return false;
  const bool value_first = builder_.is_constant(mask.arguments[0]);
  const NodeId value = mask.arguments[value_first ? 0 : 1];
  const Node& column = builder_.graph()[mask.arguments[value_first ? 1 : 0]];
  if (!builder_.is_constant(value) || column.op != Op::record_real || column.length != 1) {
    return false;
  }
  const int choice = static_cast<int>(steps_.size());
  add_step(OutcomeStep::Kind::choose, guard);
  OutcomeStep& atom = add_step(OutcomeStep::Kind::draw, {choice, 0});
  atom.distribution = kAtom;
  atom.arguments.push_back({{value}});
  atom.outcome.push_back({false, column.attributes[0]});
  check_set_once(atom);
  NodeId weight = builder_.constant(0.0);
  read_node(select.arguments[2], {choice, 1}, weight);
  steps_[static_cast<std::size_t>(choice)].nodes = {select.arguments[1], weight};
  return true;
}

}  // namespace dpvi
