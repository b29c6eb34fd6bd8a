#include <dpvi/api/simulate.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/api/finished_fit.hpp>
#include <dpvi/api/fit.hpp>
#include <dpvi/api/fit_description.hpp>
#include <dpvi/api/mock_truths.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/base/thread_team.hpp>
#include <dpvi/eval/component_labels.hpp>
#include <dpvi/eval/draw_summary.hpp>
#include <dpvi/fit/mock/mock_records.hpp>
#include <dpvi/fit/train/private_fit.hpp>
#include <dpvi/report/column_names.hpp>

namespace dpvi {
namespace {

// Fewer tables say next to nothing.
constexpr std::int64_t kFewestTables = 4;

double seconds_of_this_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Number of outputs that are parameters or transformed parameters.
std::size_t scored_variables(const RecordModel& model) {
  return model.stan().parameters.size() + model.stan().transformed_parameters.size();
}

std::vector<SimulatedNumber> numbers_of(const RecordModel& model) {
  const std::span<const OutputVariable> outputs(model.outputs().data(), scored_variables(model));
  std::vector<SimulatedNumber> numbers;
  for (const OutputVariable& output : outputs) {
    for (const std::string& name : column_names({&output, 1})) {
      numbers.push_back({bracketed_name(name), output.name});
    }
  }
  return numbers;
}

// A number has a proper prior if no parameter without one changes it.
std::vector<bool> proper_numbers(const RecordModel& model, const PriorSample& prior,
                                 std::size_t count) {
  std::vector<bool> proper(count, true);
  const std::vector<double>& here = prior.theta.front();
  const std::vector<double> before = model.output_values(here);
  for (std::size_t i = 0; i < prior.proper.size(); ++i) {
    if (prior.proper[i]) continue;
    std::vector<double> moved = here;
    moved[i] += 0.5;
    const std::vector<double> after = model.output_values(moved);
    for (std::size_t k = 0; k < count; ++k) {
      if (after[k] != before[k]) proper[k] = false;
    }
  }
  return proper;
}

void add_priors(std::vector<SimulatedNumber>& numbers, const RecordModel& model,
                const PriorSample& prior) {
  const std::vector<bool> proper = proper_numbers(model, prior, numbers.size());
  std::vector<std::vector<double>> values(numbers.size());
  for (const std::vector<double>& theta : prior.theta) {
    const std::vector<double> outputs = model.output_values(theta);
    for (std::size_t i = 0; i < numbers.size(); ++i) values[i].push_back(outputs[i]);
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const DrawSummary summary = summarise_draws(values[i]);
    numbers[i].prior_sd = proper[i] ? summary.sd : kInfinity;
    numbers[i].prior_width = proper[i] ? summary.q95 - summary.q5 : kInfinity;
  }
}

// All fits of one cell.
struct Cell {
  PlannedFit plan;
  SimulatedCell result;
  std::vector<std::vector<NumberEstimate>> estimates;  // by number

  Cell(PlannedFit planned, std::string name, std::int64_t rows, std::size_t numbers)
      : plan(std::move(planned)), estimates(numbers) {
    result.settings = std::move(name);
    result.delta = plan.privacy().delta;
    result.rows = rows;
    result.posterior = name_of(plan.posterior());
    result.posterior_reason = plan.posterior_reason();
  }
};

// True if the program gives components an order.
bool has_order(const RecordModel& model) {
  return std::ranges::any_of(model.stan().parameters, [](const ModelParameter& parameter) {
    return parameter.transform == TransformKind::ordered ||
           parameter.transform == TransformKind::positive_ordered;
  });
}

class Rehearsal {
 public:
  Rehearsal(const Program& program, const SimulationRequest& request)
      : request_(request),
        bound_(bind_without_table(program)),
        truths_(bound_, request.seed),
        labels_(ComponentLabels::find(
            bound_.model, make_mock_records(bound_.binding, 20, SeededGenerator(request.seed)))),
        numbers_(numbers_of(bound_.model)),
        start_(std::chrono::steady_clock::now()) {
    add_priors(numbers_, bound_.model, truths_.prior());
    for (const std::int64_t rows : request.rows) {
      for (const double epsilon : request.epsilons) {
        for (const NamedFit& fit : request.fits) add_cell(program, fit, epsilon, rows);
      }
    }
  }

  Simulation run() {
    ThreadTeam team(request_.threads);
    team.run([this](int) {
      while (const auto task = next_task()) carry_out(*task);
    });
    Simulation simulation{.tables = static_cast<std::size_t>(started_),
                          .seed = request_.seed,
                          .outcomes = truths_.outcomes(),
                          .notes = notes(),
                          .numbers = numbers_,
                          .cells = {}};
    for (Cell& cell : cells_) simulation.cells.push_back(scored(cell));
    return simulation;
  }

 private:
  struct Task {
    std::size_t table;
    std::size_t cell;
  };

  void add_cell(const Program& program, const NamedFit& fit, double epsilon, std::int64_t rows) {
    FitRequest request = fit.request;
    request.privacy.epsilon = epsilon;
    if (!request.settings.rows) request.settings.rows = static_cast<double>(rows);
    cells_.emplace_back(plan_fit(program, request), fit.name, rows, numbers_.size());
    cells_.back().result.epsilon = epsilon;
    tell_progress(0);
  }

  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  // The number of tables that there will be, by the time that the finished ones took.
  std::int64_t expected_tables() const {
    if (request_.tables) return *request_.tables;
    const double done = static_cast<double>(finished_) / static_cast<double>(cells_.size());
    if (done < 1.0) return std::max(started_, kFewestTables);
    const double affordable = done * request_.seconds / std::max(elapsed(), 1e-3);
    const auto most = static_cast<double>(kMostMockTables);
    return std::max(
        {started_, kFewestTables, static_cast<std::int64_t>(std::min(affordable, most))});
  }

  std::optional<Task> next_task() {
    const std::lock_guard lock(mutex_);
    if (stopped_) return std::nullopt;
    if (next_cell_ == cells_.size() || started_ == 0) {
      if (started_ >= expected_tables()) return std::nullopt;
      ++started_;
      next_cell_ = 0;
    }
    return Task{static_cast<std::size_t>(started_ - 1), next_cell_++};
  }

  void carry_out(const Task& task) {
    Cell& cell = cells_[task.cell];
    const double before = seconds_of_this_thread();
    const FitResult result = fit_table(cell, task.table);
    const double seconds = seconds_of_this_thread() - before;
    const std::vector<NumberEstimate> estimates = estimates_of(result, task.table);
    const std::lock_guard lock(mutex_);
    cell.result.seconds += seconds;
    ++cell.result.statuses[static_cast<std::size_t>(result.verdict.status)];
    for (const StatusReason& reason : result.verdict.reasons) ++cell.result.reasons[reason.words];
    if (result.verdict.status != FitStatus::failed) {
      for (std::size_t i = 0; i < estimates.size(); ++i) {
        cell.estimates[i].push_back(estimates[i]);
      }
    }
    ++finished_;
    tell_progress(finished_);
  }

  FitResult fit_table(const Cell& cell, std::size_t table) {
    const auto rows = truths_.rows(table, static_cast<std::size_t>(cell.result.rows));
    PrivateRecords records = open_records(
        cell.plan.plan(), [&](PreparedRecords& opened) { truths_.append(table, rows, opened); });
    const FitExecution execution{
        .threads = 1, .progress = [this](std::int64_t, std::int64_t) { return keep_going(); }};
    FittedPosterior fitted =
        fit_privately(std::move(records), speed_of(execution), execution.progress);
    if (!fitted.completed) throw stopped("");
    return finished_fit(cell.plan, std::move(fitted), execution);
  }

  std::vector<NumberEstimate> estimates_of(const FitResult& result, std::size_t table) const {
    const std::size_t count = numbers_.size();
    const std::vector<double> truth = bound_.model.output_values(truths_.theta(table));
    // Rows of a table: what the fit says about each number.
    std::vector<std::vector<double>> said(6, std::vector<double>(count));
    std::vector<double> draws(result.draws.size());
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < draws.size(); ++k) draws[k] = result.draws[k][i];
      const DrawSummary summary = summarise_draws(draws);
      const double entries[] = {summary.mean, summary.sd,         summary.q5,
                                summary.q95,  result.sd_model[i], result.sd_privacy[i]};
      for (std::size_t row = 0; row < said.size(); ++row) said[row][i] = entries[row];
    }
    if (!labels_.empty()) {
      std::vector<double> scales;
      for (const SimulatedNumber& number : numbers_) scales.push_back(number.prior_sd);
      const auto order = labels_.nearest_order(said[0], truth, scales);
      for (std::vector<double>& row : said) row = labels_.reordered(row, order);
    }
    std::vector<NumberEstimate> estimates;
    for (std::size_t i = 0; i < count; ++i) {
      estimates.push_back(
          {truth[i], said[0][i], said[1][i], said[2][i], said[3][i], said[4][i], said[5][i]});
    }
    return estimates;
  }

  SimulatedCell scored(Cell& cell) const {
    SimulatedCell result = std::move(cell.result);
    result.seconds /= std::max<double>(1.0, static_cast<double>(result.fits()));
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      result.scores.push_back(
          score_of(cell.estimates[i], numbers_[i].prior_sd, numbers_[i].prior_width));
    }
    return result;
  }

  std::vector<std::string> notes() const;

  bool keep_going() {
    const std::lock_guard lock(mutex_);
    return tell_progress(finished_);
  }

  // Call with the mutex held, or before there are threads.
  bool tell_progress(std::int64_t done) {
    if (stopped_ || !request_.progress) return !stopped_;
    const std::int64_t all =
        cells_.empty() ? 1 : expected_tables() * static_cast<std::int64_t>(cells_.size());
    if (request_.progress(done, std::max(all, done))) return true;
    stopped_ = true;
    throw stopped("");
  }

  const SimulationRequest& request_;
  const BoundModel bound_;
  const MockTruths truths_;
  const ComponentLabels labels_;
  std::vector<SimulatedNumber> numbers_;
  std::chrono::steady_clock::time_point start_;
  std::vector<Cell> cells_;
  std::mutex mutex_;
  std::int64_t started_ = 0;   // tables
  std::int64_t finished_ = 0;  // fits
  std::size_t next_cell_ = 0;
  bool stopped_ = false;
};

std::vector<std::string> Rehearsal::notes() const {
  std::vector<std::string> notes;
  const double share = truths_.agreeing_share();
  if (share == 0.0) {
    notes.push_back(
        fmt::format("no draw from the prior gives {} the bounds, mean and sd that are declared; "
                    "prior and schema "
                    "contradict each other, and the tables follow the prior",
                    fmt::join(truths_.outcomes(), ", ")));
  } else if (share < 1.0) {
    notes.push_back(
        fmt::format("{:.2g} % of draws from the prior agree with what is declared about {}; the "
                    "true parameters "
                    "are drawn from these",
                    100.0 * share, fmt::join(truths_.outcomes(), ", ")));
  }
  std::vector<std::string> improper;
  for (std::size_t i = 0; i < truths_.prior().proper.size(); ++i) {
    if (!truths_.prior().proper[i]) improper.push_back(bound_.model.unconstrained_names()[i]);
  }
  if (!improper.empty()) {
    notes.push_back(fmt::format(
        "no proper prior: {}; true values are between -1 and 1 on the unconstrained scale",
        fmt::join(improper, ", ")));
  }
  if (!labels_.empty()) {
    notes.push_back(
        fmt::format("{} components are exchangeable; those of each fit are put in the order "
                    "nearest to the truth",
                    labels_.components()));
  } else if (cells_.front().plan.study().components_separated && !has_order(bound_.model)) {
    notes.emplace_back(
        "components of a mixture are compared by the labels that fits give them, which need not be "
        "those of the truth");
  }
  const std::vector<std::string> unknown = unknown_columns(bound_.binding);
  if (!unknown.empty()) {
    notes.push_back(fmt::format("no scale is declared for {}; mock values there are guesses",
                                fmt::join(unknown, ", ")));
  }
  if (!bound_.model.stan().latents.empty()) {
    notes.emplace_back("latent variables of records are integrated out and not scored");
  }
  return notes;
}

void check(const SimulationRequest& request) {
  if (!request.epsilons.empty() && !request.rows.empty() && !request.fits.empty()) return;
  throw UsageError(kContradiction, "a simulation needs rows and epsilon.",
                   "Give at least one of each.");
}

}  // namespace

Simulation simulate(const Program& program, const SimulationRequest& request) {
  check(request);
  return Rehearsal(program, request).run();
}

}  // namespace dpvi
