#include <dpvi/api/predict_rows.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>
#include <dpvi/eval/posterior_draws.hpp>
#include <dpvi/fit/formula/formula_columns.hpp>
#include <dpvi/fit/mock/mock_outcomes.hpp>
#include <dpvi/stan/facts/outcome_variables.hpp>

namespace dpvi {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

[[noreturn]] void refuse_quantity(const OpenedProgram& opened, const RowQuantity& quantity) {
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
      fmt::format("quantity is '{}'; it must be a quantity of the program that depends on "
                  "records.",
                  name),
      near ? fmt::format("Did you mean '{}'?", *near)
           : fmt::format(
                 "Available: {}. 'dpvi summary' shows quantities that do not depend on records.",
                 names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

// Returns the requested quantities, or all generated quantities that have a value for each row.
std::vector<const RowQuantity*> chosen_quantities(const OpenedProgram& opened,
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

// Predicts for the rows of one table.
class RowPredictor {
 public:
  RowPredictor(const OpenedBundle& opened, const Table& rows, const PredictRequest& request,
               const QuantityProgram* other)
      : opened_(opened), rows_(rows), request_(request), other_(other) {}

  void add_quantities(const PosteriorPoints& points, Predictions& predictions) const;
  void add_outcome(const PosteriorPoints& points, Predictions& predictions) const;

 private:
  OutcomeColumn checked_outcome() const;
  WantedVariables wanted_for_outcome() const;

  const OpenedBundle& opened_;
  const Table& rows_;
  const PredictRequest& request_;
  const QuantityProgram* other_;  // null: quantities come from the bundle's program
};

// Refuses a column that is not an outcome of the program.
OutcomeColumn RowPredictor::checked_outcome() const {
  const Binding& binding = opened_.bound.binding;
  const StanModel& model = opened_.bound.model.stan();
  const std::vector<std::string> read = variables_read(model, model.record);
  std::vector<std::string> columns;
  for (const std::string& variable : outcome_variables(
           opened_.bound.program.inputs().program.program, opened_.bound.program.data())) {
    if (!contains(read, variable)) continue;
    for (std::string& column : columns_of(binding, variable)) columns.push_back(std::move(column));
  }
  const std::string& wanted = request_.outcome;
  if (!contains(columns, wanted)) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("{} is '{}'; it must be an outcome of the program.",
                                 request_.score ? "score" : "outcome", wanted),
                     columns.empty()
                         ? "The program has no column left of ~ or before the bar of a density."
                         : fmt::format("Outcomes of the program: {}.", fmt::join(columns, ", ")));
  }
  OutcomeColumn outcome(binding, wanted);
  if (request_.laplace && outcome.values().size() != 2) {
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
WantedVariables RowPredictor::wanted_for_outcome() const {
  WantedVariables wanted;
  const StanModel& model = opened_.bound.model.stan();
  for (const std::string& variable : variables_read(model, model.record)) {
    const bool alone =
        columns_of(opened_.bound.binding, variable) == std::vector<std::string>{request_.outcome};
    (alone ? wanted.outcome : wanted.needed).push_back(variable);
  }
  return wanted;
}

void RowPredictor::add_quantities(const PosteriorPoints& points, Predictions& predictions) const {
  const bool only_outcome =
      request_.quantities.empty() && !request_.outcome.empty() && other_ == nullptr;
  if (only_outcome) return;
  const OpenedProgram& source = other_ != nullptr ? static_cast<const OpenedProgram&>(*other_)
                                                  : static_cast<const OpenedProgram&>(opened_);
  const RowProgram program = row_program(source);
  const std::vector<const RowQuantity*> chosen =
      chosen_quantities(source, program, request_.quantities);
  if (chosen.empty()) {
    throw UsageError(
        kContradiction, "the program has no generated quantity with an entry for each row.",
        fmt::format(
            "Write vector[{}] p = ...; in a program with the same parameters and give it by "
            "--program FILE, or predict the outcome: --outcome COLUMN.",
            source.bound.program.inputs().record_count));
  }
  std::vector<std::string> reads;
  for (const RowQuantity* quantity : chosen) {
    reads.insert(reads.end(), quantity->reads.begin(), quantity->reads.end());
  }
  const RowTable rows = read_rows(source, rows_, {reads, {}});
  predictions.rows = rows.count();
  predictions.unusable_rows =
      static_cast<std::size_t>(std::count(rows.usable.begin(), rows.usable.end(), false));
  if (other_ == nullptr) {
    predictions.summaries = summarise_quantities(program, chosen, rows, points);
    return;
  }
  const std::vector<std::vector<double>> thetas = other_->points(points.thetas);
  predictions.summaries =
      summarise_quantities(program, chosen, rows, {thetas, points.generator, points.threads});
}

void RowPredictor::add_outcome(const PosteriorPoints& points, Predictions& predictions) const {
  if (request_.outcome.empty()) return;
  const OutcomeColumn outcome = checked_outcome();
  WantedVariables wanted = wanted_for_outcome();
  RowTable rows = read_rows(opened_, rows_, wanted);
  const bool inside_vector = wanted.outcome.empty();
  if (inside_vector) rows.observed = rows.usable;
  if (rows.observed.empty() && (request_.score || outcome.values().empty())) {
    throw InputError(
        kMissingColumn,
        fmt::format("column '{}' is not in the header of {}.", request_.outcome, name_of(rows_)),
        !request_.score
            ? "Its values cannot be enumerated, so only the density of known values can "
              "be computed."
            : "Scores compare predictions with this column.",
        {name_of(rows_), 1, 0});
  }
  const Posterior& posterior = opened_.bundle.posterior;
  OutcomePrediction predicted =
      request_.laplace
          ? predict_by_probit_approximation(opened_.bound.model, outcome, rows,
                                            *posterior.total.family, posterior.total.parameters)
          : predict_outcome(opened_.bound.model, outcome, rows, points);
  if (request_.score) predictions.scores = score_outcome(predicted, outcome, rows);
  predictions.rows = rows.count();
  predictions.unusable_rows =
      static_cast<std::size_t>(std::count(rows.usable.begin(), rows.usable.end(), false));
  for (RowSummary& summary : predicted.probabilities) {
    (request_.laplace ? predictions.means : predictions.summaries).push_back(std::move(summary));
  }
  predictions.log_density = std::move(predicted.log_density);
}

}  // namespace

std::string only_outcome(const OpenedBundle& opened) {
  std::vector<std::string> columns;
  for (const std::string& variable : outcome_variables(
           opened.bound.program.inputs().program.program, opened.bound.program.data())) {
    for (std::string& column : columns_of(opened.bound.binding, variable)) {
      columns.push_back(std::move(column));
    }
  }
  return columns.size() == 1 ? columns.front() : std::string();
}

std::string default_outcome(const OpenedBundle& opened) {
  const std::string column = only_outcome(opened);
  if (column.empty()) return {};
  // Probabilities of listed values say more than replicates, and those of two values as much as
  // their mean.
  std::vector<std::string> less;
  const std::size_t values = OutcomeColumn(opened.bound.binding, column).values().size();
  if (values == 2) less.emplace_back(kExpected);
  if (values > 0) {
    for (Replicate& one : find_replicates(opened.bound.program.inputs().program.program,
                                          opened.bound.program.data())) {
      less.push_back(std::move(one.quantity));
    }
  }
  const RowProgram program = row_program(opened);
  const bool has_quantities =
      std::ranges::any_of(program.quantities, [&](const RowQuantity& quantity) {
        return quantity.generated && quantity.refusal.empty() && !contains(less, quantity.name);
      });
  return has_quantities ? std::string() : column;
}

Predictions predict_rows(const OpenedBundle& opened, const Table& rows,
                         const PredictRequest& request, const QuantityProgram* other) {
  if (request.laplace && request.outcome.empty()) {
    throw UsageError(kContradiction, "--laplace needs --outcome COLUMN or --score COLUMN.",
                     "Name the column that is predicted.");
  }
  if (request.score && request.outcome.empty()) {
    throw UsageError(kContradiction, "score needs an outcome: the program has not exactly one.",
                     "Name the column that is predicted.");
  }
  const SeededGenerator generator(request.seed);
  const Posterior& posterior = opened.bundle.posterior;
  const auto thetas = posterior_draws(*posterior.total.family, posterior.total.parameters,
                                      request.draws, generator);
  const PosteriorPoints points{thetas, generator, request.threads};
  Predictions predictions;
  const RowPredictor predictor(opened, rows, request, other);
  predictor.add_quantities(points, predictions);
  predictor.add_outcome(points, predictions);
  return predictions;
}

}  // namespace dpvi
