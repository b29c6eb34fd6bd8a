#include <dpvi/fit/mock/outcome_steps.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/fit/mock/record_lanes.hpp>
#include <dpvi/random/unit_uniform.hpp>
#include <dpvi/stan/functions/vector_draws.hpp>
#include <dpvi/stan/value/scalar_draws.hpp>
#include <dpvi/tape/graph/reachable.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kBlock = kLanes;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Draws until one lies between the limits of a truncated distribution.
constexpr int kTruncatedDraws = 1000;
// Draws until one lies inside declared bounds.
constexpr int kAllowedDraws = 20;
// The choice of a step that was not executed.
constexpr int kNoChoice = -1;

bool fits_integer(double number) {
  return std::abs(number) <= std::numeric_limits<std::int32_t>::max();
}

// A continuous draw is 0 or 1 only by rounding. To the program such a number may mean something
// else.
bool is_rounded(double drawn) { return drawn == 0.0 || drawn == 1.0; }

// Chooses an index with these log weights. Returns kNoChoice if they are not weights.
int choose(std::span<const double> log_weights, const UniformSource& uniform) {
  double largest = -kInfinity;
  for (const double weight : log_weights) largest = std::max(largest, weight);
  double total = 0.0;
  for (const double weight : log_weights) total += std::exp(weight - largest);
  if (!std::isfinite(total)) return kNoChoice;
  double left = total * uniform();
  const int last = static_cast<int>(log_weights.size()) - 1;
  for (int k = 0; k < last; ++k) {
    left -= std::exp(log_weights[static_cast<std::size_t>(k)] - largest);
    if (left < 0.0) return k;
  }
  return last;
}

// The x for which the operation has this result.
double inverted(const InverseOperation& operation, double result, double operand) {
  switch (operation.op) {
    case Op::neg:
      return -result;
    case Op::exp:
      return std::log(result);
    case Op::log:
      return std::exp(result);
    case Op::log1p:
      return std::expm1(result);
    case Op::sqrt:
      return result * result;
    case Op::inv:
      return 1.0 / result;
    case Op::logit:
      return 1.0 / (1.0 + std::exp(-result));
    case Op::add:
      return result - operand;
    case Op::sub:
      return operation.operand_first ? operand - result : result + operand;
    case Op::mul:
      return result / operand;
    case Op::div:
      return operation.operand_first ? operand / result : result * operand;
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

OutcomeSteps::OutcomeSteps(std::shared_ptr<const OutcomeProgram> program, std::size_t theta_size)
    : program_(std::move(program)), theta_size_(static_cast<std::int32_t>(theta_size)) {
  for (const OutcomeStep& step : program_->steps) steps_.push_back(compiled(step));
  if (!by_theta_.empty()) values_of_theta_.emplace(*program_->graph, by_theta_, theta_size_);
}

OutcomeSteps::Step OutcomeSteps::compiled(const OutcomeStep& step) {
  Step result;
  result.step = &step;
  for (const NodeId node : step.nodes) result.nodes.push_back(source_of(node));
  for (const DrawArgument& argument : step.arguments) {
    Argument& own = result.arguments.emplace_back();
    own.rows = argument.rows;
    own.columns = argument.columns;
    for (const NodeId entry : argument.entries) own.entries.push_back(source_of(entry));
  }
  for (const InverseOperation& inverse : step.inverse) {
    result.operands.push_back(source_of(inverse.operand));
  }
  if (step.lower) result.lower = source_of(*step.lower);
  if (step.upper) result.upper = source_of(*step.upper);
  if (step.censoring) result.limit = source_of(step.censoring->limit);
  return result;
}

bool OutcomeSteps::reads_outcomes(NodeId root) const {
  const Graph& graph = *program_->graph;
  for (const NodeId id : reachable_from(graph, std::span(&root, 1))) {
    const Node& node = graph[id];
    if (node.op != Op::record_real && node.op != Op::record_int) continue;
    for (const auto* columns : {&program_->columns, &program_->latents}) {
      for (const RecordColumn& column : *columns) {
        const bool inside =
            column.column >= node.attributes[0] && column.column < node.attributes[0] + node.length;
        if (inside && column.integer == (node.op == Op::record_int)) return true;
      }
    }
  }
  return false;
}

OutcomeSteps::Source OutcomeSteps::source_of(NodeId node) {
  const Graph& graph = *program_->graph;
  const Node& content = graph[node];
  if (content.op == Op::constant) return {Source::Kind::known, content.values[0], 0};
  const auto [found, added] = sources_.try_emplace(node);
  if (!added) return found->second;
  if (depends_on_record(content.space)) {
    found->second = {Source::Kind::by_record, 0.0, tapes_.size()};
    tapes_.push_back({RecordTape(graph, node, theta_size_), reads_outcomes(node)});
  } else {
    found->second = {Source::Kind::by_theta, 0.0, by_theta_.size()};
    by_theta_.push_back(node);
  }
  return found->second;
}

// Up to 16 records at a time, at one theta.
class OutcomeSteps::Block : public OutcomeBlock {
 public:
  Block(const OutcomeSteps& steps, std::span<const double> theta, AllowedNumber allowed)
      : steps_(steps), allowed_(std::move(allowed)), choices_(steps.steps_.size() * kBlock) {
    if (steps.values_of_theta_) values_ = steps.values_of_theta_->evaluate(theta);
    for (const Tape& tape : steps.tapes_) {
      tapes_.push_back(std::make_unique<Values>(tape.tape, theta));
    }
  }

  std::uint32_t draw(std::span<MockRecord> records, bool again,
                     std::span<const UniformSource> uniforms) override {
    records_ = records;
    const auto columns = static_cast<std::size_t>(steps_.program_->real_columns);
    const std::size_t stored = records.empty() ? 0 : records.front().reals.size();
    for (MockRecord& record : records) record.reals.resize(std::max(stored, columns), 0.0);
    drawn_ = (std::uint32_t{1} << records.size()) - 1;
    for (std::size_t i = 0; i < tapes_.size() && !again; ++i) tapes_[i]->of_records = nullptr;
    set_outcomes_before();
    for (std::size_t i = 0; i < steps_.steps_.size(); ++i) execute(i, uniforms);
    for (std::size_t lane = 0; lane < records.size(); ++lane) {
      if ((drawn_ >> lane & 1) == 0) restore(lane);
    }
    for (MockRecord& record : records) record.reals.resize(stored);
    return drawn_;
  }

 private:
  // A tape, and its values for the current block.
  struct Values {
    Values(const RecordTape& tape, std::span<const double> theta) : lanes(tape, theta) {}

    RecordLanes lanes;
    const double* of_records = nullptr;  // null until they are computed
  };

  double& number(std::size_t lane, const RecordColumn& column) {
    return records_[lane].reals[static_cast<std::size_t>(column.column)];
  }
  std::int32_t& integer(std::size_t lane, const RecordColumn& column) {
    return records_[lane].integers[static_cast<std::size_t>(column.column)];
  }
  void set(std::size_t lane, const RecordColumn& column, double value) {
    if (column.integer) {
      integer(lane, column) = static_cast<std::int32_t>(std::lround(value));
    } else {
      number(lane, column) = value;
    }
  }

  void set_outcomes_before() {
    before_.clear();
    for (std::size_t lane = 0; lane < records_.size(); ++lane) {
      for (const RecordColumn& column : steps_.program_->columns) {
        before_.push_back(column.integer ? integer(lane, column) : number(lane, column));
      }
    }
  }

  void restore(std::size_t lane) {
    const std::vector<RecordColumn>& columns = steps_.program_->columns;
    const double* const values = &before_[lane * columns.size()];
    for (std::size_t i = 0; i < columns.size(); ++i) set(lane, columns[i], values[i]);
  }

  void compute(const Source& source) {
    if (source.kind != Source::Kind::by_record) return;
    Values& values = *tapes_[source.place];
    if (values.of_records != nullptr && !steps_.tapes_[source.place].reads_outcomes) return;
    values.of_records = values.lanes.values(records_);
  }

  double value(const Source& source, std::size_t lane) const {
    switch (source.kind) {
      case Source::Kind::known:
        return source.value;
      case Source::Kind::by_theta:
        return values_[source.place];
      case Source::Kind::by_record:
        break;
    }
    return tapes_[source.place]->of_records[lane];
  }

  bool is_active(const Step& step, std::size_t lane) const {
    if ((drawn_ >> lane & 1) == 0) return false;
    const int guard = step.step->guard;
    if (guard < 0) return true;
    return choices_[static_cast<std::size_t>(guard) * kBlock + lane] == step.step->guard_value;
  }

  void execute(std::size_t index, std::span<const UniformSource> uniforms) {
    const Step& step = steps_.steps_[index];
    for (const Source& node : step.nodes) compute(node);
    for (const Argument& argument : step.arguments) {
      for (const Source& entry : argument.entries) compute(entry);
    }
    for (const Source& operand : step.operands) compute(operand);
    for (const std::optional<Source>& limit : {step.lower, step.upper, step.limit}) {
      if (limit) compute(*limit);
    }
    for (std::size_t lane = 0; lane < records_.size(); ++lane) {
      int& choice = choices_[index * kBlock + lane];
      choice = kNoChoice;
      if (!is_active(step, lane)) continue;
      bool done = true;
      if (step.step->kind == OutcomeStep::Kind::draw) {
        done = draw_outcomes(step, lane, uniforms[lane]);
      } else {
        choice = decide(step, lane, uniforms[lane]);
        done = choice != kNoChoice;
      }
      if (!done) drawn_ &= ~(std::uint32_t{1} << lane);
    }
  }

  int decide(const Step& step, std::size_t lane, const UniformSource& uniform) {
    if (step.step->kind == OutcomeStep::Kind::decide) {
      return value(step.nodes[0], lane) != 0.0 ? 1 : 0;
    }
    numbers_.clear();
    for (const Source& node : step.nodes) numbers_.push_back(value(node, lane));
    return choose(numbers_, uniform);
  }

  bool draw_outcomes(const Step& step, std::size_t lane, const UniformSource& uniform) {
    for (int i = 0; i < kAllowedDraws; ++i) {
      if (!draw_numbers(step, lane, uniform)) return false;
      if (is_allowed(*step.step)) {
        for (std::size_t k = 0; k < numbers_.size(); ++k) {
          set(lane, step.step->outcome[k], numbers_[k]);
        }
        return true;
      }
    }
    return false;
  }

  bool is_allowed(const OutcomeStep& step) const {
    if (!allowed_) return true;
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      const bool latent = std::ranges::count(steps_.program_->latents, step.outcome[k]) > 0;
      if (!latent && !allowed_(step.outcome[k], numbers_[k])) return false;
    }
    return true;
  }

  // Sets numbers_ to one draw for every outcome of the step. Returns false if there is none.
  bool draw_numbers(const Step& step, std::size_t lane, const UniformSource& uniform) {
    if (step.step->draws_together) {
      draw_together(step, lane, uniform);
    } else if (!draw_scalar_between(step, lane, uniform)) {
      return false;
    }
    for (std::size_t i = 0; i < step.operands.size(); ++i) {
      numbers_[0] = inverted(step.step->inverse[i], numbers_[0], value(step.operands[i], lane));
    }
    if (step.limit) censor(*step.step->censoring, value(*step.limit, lane));
    if (numbers_.size() != step.step->outcome.size()) return false;
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      if (!std::isfinite(numbers_[k])) return false;
      if (step.step->outcome[k].integer && !fits_integer(numbers_[k])) return false;
    }
    return true;
  }

  void draw_together(const Step& step, std::size_t lane, const UniformSource& uniform) {
    std::vector<KnownNumbers> given;
    for (const Argument& argument : step.arguments) {
      KnownNumbers& own = given.emplace_back();
      own.rows = argument.rows;
      own.columns = argument.columns;
      for (const Source& entry : argument.entries) own.numbers.push_back(value(entry, lane));
    }
    const std::string& distribution = step.step->distribution;
    numbers_.clear();
    if (has_valid_shapes(distribution, given)) {
      numbers_ = draw_vector(uniform, distribution, given);
    }
  }

  bool draw_scalar_between(const Step& step, std::size_t lane, const UniformSource& uniform) {
    arguments_.clear();
    for (const Argument& argument : step.arguments) {
      arguments_.push_back(value(argument.entries[0], lane));
    }
    if (step.step->distribution == kAtom) {
      numbers_ = arguments_;
      return true;
    }
    const double lower = step.lower ? value(*step.lower, lane) : -kInfinity;
    const double upper = step.upper ? value(*step.upper, lane) : kInfinity;
    const bool is_real = !step.step->outcome.front().integer;
    for (int i = 0; i < kTruncatedDraws; ++i) {
      const double drawn = draw_scalar(uniform, step.step->distribution, arguments_);
      if (std::isnan(drawn) || (is_real && is_rounded(drawn))) return false;
      if (drawn >= lower && drawn <= upper) {
        numbers_.assign(1, drawn);
        return true;
      }
    }
    return false;
  }

  void censor(const Censoring& censoring, double limit) {
    double& drawn = numbers_[0];
    const bool censored = censoring.above ? drawn >= limit : drawn <= limit;
    if (censored) drawn = limit;
    if (censored && censoring.beyond) {
      drawn = std::nextafter(limit, censoring.above ? kInfinity : -kInfinity);
    }
    if (censoring.indicator) {
      numbers_.push_back(censored ? censoring.censored : censoring.observed);
    }
  }

  const OutcomeSteps& steps_;
  const AllowedNumber allowed_;
  std::vector<double> values_;  // of theta alone
  std::vector<std::unique_ptr<Values>> tapes_;
  std::vector<int> choices_;  // step * kBlock + lane
  std::span<MockRecord> records_;
  std::uint32_t drawn_ = 0;
  std::vector<double> numbers_, arguments_;
  std::vector<double> before_;  // the outcomes of all records before the draw
};

std::unique_ptr<OutcomeBlock> OutcomeSteps::block(std::span<const double> theta) const {
  return std::make_unique<Block>(*this, theta, AllowedNumber());
}

std::vector<bool> OutcomeSteps::run(std::span<const double> theta, std::span<MockRecord> records,
                                    const SeededGenerator& generator,
                                    const AllowedNumber& allowed) const {
  Block block(*this, theta, allowed);
  std::vector<bool> drawn;
  drawn.reserve(records.size());
  for (std::size_t first = 0; first < records.size(); first += kBlock) {
    SeededStream stream = generator.stream(
        {.label = StreamLabel::predictive_draw, .step = 1, .block = first / kBlock});
    const std::vector<UniformSource> uniforms(kBlock, [&stream] { return unit_uniform(stream); });
    const std::size_t count = std::min(kBlock, records.size() - first);
    const std::uint32_t bits = block.draw(records.subspan(first, count), false, uniforms);
    for (std::size_t lane = 0; lane < count; ++lane) drawn.push_back((bits >> lane & 1) != 0);
  }
  return drawn;
}

}  // namespace dpvi
