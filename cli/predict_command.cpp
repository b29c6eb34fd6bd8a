#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/opened_bundle.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>
#include <dpvi/eval/posterior_draws.hpp>
#include <dpvi/report/statement.hpp>
#include <dpvi/stan/facts/outcome_variables.hpp>

#include "bundle_note.hpp"
#include "command.hpp"
#include "console.hpp"
#include "json.hpp"
#include "numbers.hpp"
#include "output_file.hpp"
#include "predict_output.hpp"

namespace dpvi::cli {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

[[noreturn]] void refuse_quantity(const OpenedBundle& opened, const RowQuantity& quantity) {
  throw InputError(
      kModelUnsupported,
      fmt::format("'{}' cannot be predicted: {}.", quantity.name, quantity.refusal),
      fmt::format("A quantity for rows has {} as its first size, and its entry n uses row n.",
                  opened.bound.program.inputs().record_count),
      {opened.bound.program.inputs().file, 0, 0});
}

const RowQuantity& named_quantity(const RowProgram& program, const std::string& name) {
  if (const RowQuantity* found = program.find(name)) return *found;
  std::vector<std::string> names;
  for (const RowQuantity& quantity : program.quantities) names.push_back(quantity.name);
  const auto near = nearest_name(name, names);
  throw UsageError(
      kValueOutsideRule,
      fmt::format("--quantity is '{}'; it must be a quantity of the program that depends on "
                  "records.",
                  name),
      near ? fmt::format("Did you mean '{}'?", *near)
           : fmt::format(
                 "Available: {}. 'dpvi summary' shows quantities that do not depend on records.",
                 names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

// Returns the requested quantities, or all generated quantities that have a value for each row.
std::vector<const RowQuantity*> chosen_quantities(const OpenedBundle& opened,
                                                  const RowProgram& program,
                                                  const std::vector<std::string>& names) {
  std::vector<const RowQuantity*> chosen;
  for (const std::string& name : names) {
    const RowQuantity& quantity = named_quantity(program, name);
    if (!quantity.refusal.empty()) refuse_quantity(opened, quantity);
    chosen.push_back(&quantity);
  }
  if (!names.empty()) return chosen;
  for (const RowQuantity& quantity : program.quantities) {
    if (quantity.generated && quantity.refusal.empty()) chosen.push_back(&quantity);
  }
  return chosen;
}

class PredictCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Predicts for new rows, from a bundle alone: the program's generated quantities, or its "
        "outcome.");
    app.add_option("BUNDLE", bundle_, "folder that 'dpvi fit' wrote")->required();
    app.add_option("NEW", rows_, "rows to predict for: CSV (also .gz, .zst)")->required();
    app.add_option(
           "--quantity", quantities_,
           "a quantity that depends on records (repeatable; default: all generated quantities)")
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("--outcome", outcome_,
                   "predict this column from the program's density: probabilities of its values, "
                   "and the log density in rows that have it");
    app.add_option(
        "--score", score_,
        "the same, with scores; declares NEW public, because scores reveal its outcomes");
    app.add_flag("--laplace", laplace_,
                 "probabilities of a binary outcome by the 2017 paper's approximation");
    app.add_option("--draws", draws_, "draws from the posterior (default 1000)");
    app.add_option("--seed", seed_, "random seed (default 1)");
    app.add_option("--threads", threads_, "threads (default: all cores); never changes the result");
    out_.declare(app, "CSV");
    declare_common(app);
    app.footer("Example:\n  dpvi predict result new.csv --quantity p --out predicted.csv");
  }

  std::string run() override;

 private:
  const std::string& outcome_column() const { return score_.empty() ? outcome_ : score_; }
  void check_flags() const;
  Predictions predict(const OpenedBundle& opened) const;
  void add_quantities(const OpenedBundle& opened, const PosteriorPoints& points,
                      Predictions& predictions) const;
  void add_outcome(const OpenedBundle& opened, const PosteriorPoints& points,
                   Predictions& predictions) const;
  OutcomeColumn checked_outcome(const OpenedBundle& opened) const;
  WantedVariables wanted_for_outcome(const OpenedBundle& opened) const;
  std::string json_output(const OpenedBundle& opened, const Predictions& predictions) const;
  void tell(const OpenedBundle& opened, const Predictions& predictions) const;

  std::string bundle_, rows_, outcome_, score_, draws_ = "1000";
  std::optional<std::string> seed_, threads_;
  std::vector<std::string> quantities_;
  bool laplace_ = false;
  OutputFile out_;
};

void PredictCommand::check_flags() const {
  if (!outcome_.empty() && !score_.empty() && outcome_ != score_) {
    throw UsageError(
        kContradiction,
        fmt::format("--outcome is '{}' and --score is '{}'; only one column can be predicted.",
                    outcome_, score_),
        "Keep --score, which predicts its column too.");
  }
  if (laplace_ && outcome_column().empty()) {
    throw UsageError(kContradiction, "--laplace needs --outcome COLUMN or --score COLUMN.",
                     "Name the column that is predicted.");
  }
}

// Refuses a column that is not an outcome of the program.
OutcomeColumn PredictCommand::checked_outcome(const OpenedBundle& opened) const {
  const Binding& binding = opened.bound.binding;
  const StanModel& model = opened.bound.model.stan();
  const std::vector<std::string> read = variables_read(model, model.record);
  std::vector<std::string> columns;
  for (const std::string& variable : outcome_variables(
           opened.bound.program.inputs().program.program, opened.bound.program.data())) {
    if (!contains(read, variable)) continue;
    for (std::string& column : columns_of(binding, variable)) columns.push_back(std::move(column));
  }
  const std::string& wanted = outcome_column();
  if (!contains(columns, wanted)) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("{} is '{}'; it must be an outcome of the program.",
                                 score_.empty() ? "--outcome" : "--score", wanted),
                     columns.empty()
                         ? "The program has no column left of ~ or before the bar of a density."
                         : fmt::format("Outcomes of the program: {}.", fmt::join(columns, ", ")));
  }
  OutcomeColumn outcome(binding, wanted);
  if (laplace_ && outcome.values().size() != 2) {
    throw UsageError(
        kContradiction,
        fmt::format("--laplace needs a binary outcome; '{}' has {}.", wanted,
                    outcome.values().empty() ? "no declared list of values"
                                             : fmt::format("{}", outcome.values().size())),
        "Leave --laplace out.");
  }
  return outcome;
}

// Variables built from the outcome column alone are optional. All others that the density reads are
// required.
WantedVariables PredictCommand::wanted_for_outcome(const OpenedBundle& opened) const {
  WantedVariables wanted;
  const StanModel& model = opened.bound.model.stan();
  for (const std::string& variable : variables_read(model, model.record)) {
    const bool alone =
        columns_of(opened.bound.binding, variable) == std::vector<std::string>{outcome_column()};
    (alone ? wanted.outcome : wanted.needed).push_back(variable);
  }
  return wanted;
}

void PredictCommand::add_quantities(const OpenedBundle& opened, const PosteriorPoints& points,
                                    Predictions& predictions) const {
  const bool only_outcome = quantities_.empty() && !outcome_column().empty();
  if (only_outcome) return;
  const RowProgram program = row_program(opened);
  const std::vector<const RowQuantity*> chosen = chosen_quantities(opened, program, quantities_);
  if (chosen.empty()) {
    throw UsageError(
        kContradiction,
        fmt::format("the program of '{}' has no generated quantity with an entry for each row.",
                    bundle_),
        fmt::format("Add one to the program (vector[{}] p = ...;) and fit again, or predict its "
                    "outcome: --outcome COLUMN.",
                    opened.bound.program.inputs().record_count));
  }
  std::vector<std::string> reads;
  for (const RowQuantity* quantity : chosen) {
    reads.insert(reads.end(), quantity->reads.begin(), quantity->reads.end());
  }
  const RowTable rows = read_rows(opened, rows_, {reads, {}});
  predictions.rows = rows.count();
  predictions.unusable_rows =
      static_cast<std::size_t>(std::count(rows.usable.begin(), rows.usable.end(), false));
  predictions.summaries = summarise_quantities(program, chosen, rows, points);
}

void PredictCommand::add_outcome(const OpenedBundle& opened, const PosteriorPoints& points,
                                 Predictions& predictions) const {
  if (outcome_column().empty()) return;
  const OutcomeColumn outcome = checked_outcome(opened);
  WantedVariables wanted = wanted_for_outcome(opened);
  RowTable rows = read_rows(opened, rows_, wanted);
  const bool inside_vector = wanted.outcome.empty();
  if (inside_vector) rows.observed = rows.usable;
  if (rows.observed.empty() && (!score_.empty() || outcome.values().empty())) {
    throw InputError(
        kMissingColumn,
        fmt::format("column '{}' is not in the header of {}.", outcome_column(), rows_),
        score_.empty() ? "Its values cannot be enumerated, so only the density of known values can "
                         "be computed."
                       : "Scores compare predictions with this column.",
        {rows_, 1, 0});
  }
  const Posterior& posterior = opened.bundle.posterior;
  OutcomePrediction predicted =
      laplace_
          ? predict_by_probit_approximation(opened.bound.model, outcome, rows,
                                            *posterior.total.family, posterior.total.parameters)
          : predict_outcome(opened.bound.model, outcome, rows, points);
  if (!score_.empty()) predictions.scores = score_outcome(predicted, outcome, rows);
  predictions.rows = rows.count();
  predictions.unusable_rows =
      static_cast<std::size_t>(std::count(rows.usable.begin(), rows.usable.end(), false));
  for (RowSummary& summary : predicted.probabilities) {
    (laplace_ ? predictions.means : predictions.summaries).push_back(std::move(summary));
  }
  predictions.log_density = std::move(predicted.log_density);
}

Predictions PredictCommand::predict(const OpenedBundle& opened) const {
  constexpr std::int64_t kMaxDraws = 1'000'000;
  const auto draws = static_cast<std::size_t>(parse_whole_in("--draws", draws_, 1, kMaxDraws));
  const SeededGenerator generator(parse_seed(seed_));
  const Posterior& posterior = opened.bundle.posterior;
  const auto thetas =
      posterior_draws(*posterior.total.family, posterior.total.parameters, draws, generator);
  const PosteriorPoints points{thetas, generator, parse_threads(threads_)};
  Predictions predictions;
  add_quantities(opened, points, predictions);
  add_outcome(opened, points, predictions);
  return predictions;
}

void PredictCommand::tell(const OpenedBundle& opened, const Predictions& predictions) const {
  if (quiet) return;
  if (!opened.bundle.stamp.is_private) show_message(fmt::format("{}\n", kNotPrivateNotice));
  if (predictions.unusable_rows > 0) {
    show_message(
        fmt::format("{} of {} rows have a cell that cannot be used: their predictions are NaN.\n",
                    predictions.unusable_rows, predictions.rows));
  }
  if (predictions.scores) {
    show_message(fmt::format(
        "--score declares {} public: its outcomes enter the scores without protection.\n", rows_));
  }
}

std::string PredictCommand::json_output(const OpenedBundle& opened,
                                        const Predictions& predictions) const {
  Json document = {{"ok", true},
                   {"private", opened.bundle.stamp.is_private},
                   {"rows", predictions.rows},
                   {"unusable_rows", predictions.unusable_rows}};
  if (predictions.scores) {
    document["score"] = Json::parse(scores_json(*predictions.scores, score_));
  }
  const std::string csv = predictions_csv(predictions);
  if (out_.named()) {
    out_.written(csv);
    document["out"] = out_.name();
  } else {
    document["csv"] = csv;
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string PredictCommand::run() {
  check_flags();
  out_.check();
  const OpenedBundle opened = open_bundle(bundle_);
  if (!quiet) note_missing_manifest(opened.bundle);
  const Predictions predictions = predict(opened);
  tell(opened, predictions);
  if (json) return json_output(opened, predictions);
  std::string csv = out_.written(predictions_csv(predictions));
  if (!predictions.scores) return csv;
  std::string scores = scores_text(*predictions.scores, score_);
  if (out_.named()) return scores;
  show_message(scores);
  return csv;
}

}  // namespace

std::unique_ptr<Command> make_predict_command() { return std::make_unique<PredictCommand>(); }

}  // namespace dpvi::cli
