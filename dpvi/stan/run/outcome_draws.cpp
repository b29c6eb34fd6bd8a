#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <dpvi/stan/functions/density_calls.hpp>
#include <dpvi/stan/functions/vector_draws.hpp>
#include <dpvi/stan/run/outcome_reader.hpp>

// Densities of outcomes as draws.
namespace dpvi {
namespace {

// Multinomial variates are drawn given their total, which Stan's densities do not state.
bool is_given_total(std::string_view distribution) {
  return distribution == "multinomial" || distribution == "multinomial_logit" ||
         distribution == "dirichlet_multinomial";
}

bool is_invertible(Op op) {
  switch (op) {
    case Op::neg:
    case Op::exp:
    case Op::log:
    case Op::log1p:
    case Op::sqrt:
    case Op::inv:
    case Op::logit:
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
      return true;
    default:
      return false;
  }
}

}  // namespace

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
  step.outcome = together ? outcome_columns(arguments[0])
                          : std::vector{outcome_column(arguments[0].flat(builder_), step)};
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
  step.given_total = is_given_total(distribution);
  if (step.given_total) {
    step.arguments.push_back({{builder_.sum(arguments[0].flat(builder_))}});
  }
  if (site.lower || site.upper) {
    if (together || site.arguments[0].size() != 1) refuse("a truncated distribution has vectors");
    if (site.lower) step.lower = site.lower->flat(builder_);
    if (site.upper) step.upper = site.upper->flat(builder_);
  }
  check_set_once(step);
  sites_of_steps_[steps_.size()] = &site;
  steps_.push_back(std::move(step));
}

// Each entry must be a column itself.
std::vector<RecordColumn> OutcomeReader::outcome_columns(const Value& variate) {
  std::vector<RecordColumn> columns;
  OutcomeStep step;
  for (const NodeId node : variate.entries(builder_)) {
    columns.push_back(outcome_column(node, step));
    if (!step.inverse.empty()) refuse("the outcome is computed from record data");
  }
  return columns;
}

// The column of a variate: the variate itself, or the column that invertible operations turn into
// it.
RecordColumn OutcomeReader::outcome_column(NodeId node, OutcomeStep& step) {
  while (true) {
    const Node& content = builder_.graph()[node];
    const bool integer = content.op == Op::record_int;
    if ((integer || content.op == Op::record_real) && content.length == 1) {
      return {integer, content.attributes[0]};
    }
    if (!is_invertible(content.op) || content.length != 1) {
      refuse("the outcome is computed from record data");
    }
    if (content.arguments.size() == 1) {
      step.inverse.push_back({content.op, builder_.constant(0.0), false});
      node = content.arguments[0];
      continue;
    }
    const bool by_first = depends_on_record(builder_.space(content.arguments[0]));
    const bool by_second = depends_on_record(builder_.space(content.arguments[1]));
    if (by_first == by_second) refuse("the outcome is computed from several columns");
    step.inverse.push_back({content.op, content.arguments[by_first ? 1 : 0], by_second});
    node = content.arguments[by_first ? 0 : 1];
  }
}

}  // namespace dpvi
