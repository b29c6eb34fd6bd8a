#include <dpvi/eval/outcome_prediction.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

#include <dpvi/eval/row_parts.hpp>

namespace dpvi {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A program that has the density alone and can be run on rows.
RowProgram density_program(const StanModel& model) {
  RowProgram program;
  program.graph = model.graph;
  program.free_size = model.free_size;
  program.real_columns = model.real_columns;
  program.integer_columns = model.integer_columns;
  program.record_variables = model.record_variables;
  return program;
}

double log_mean_exp(std::span<const double> logs) {
  const double largest = *std::max_element(logs.begin(), logs.end());
  if (!std::isfinite(largest)) return largest;
  double sum = 0.0;
  for (const double value : logs) sum += std::exp(value - largest);
  return largest + std::log(sum / static_cast<double>(logs.size()));
}

OutcomePrediction empty_prediction(const OutcomeColumn& outcome, const RowTable& rows) {
  OutcomePrediction result;
  const std::size_t values = outcome.values().size();
  for (std::size_t i = values == 2 ? 1 : 0; i < values; ++i) {
    result.probabilities.emplace_back(outcome.name() + "_p_" + outcome.labels()[i], rows.count());
  }
  result.by_value.assign(values, std::vector<double>(rows.count(), kNan));
  if (!rows.observed.empty()) result.log_density.assign(rows.count(), kNan);
  return result;
}

bool is_observed(const RowTable& rows, std::size_t row) {
  return !rows.observed.empty() && rows.observed[row];
}

// Copies of the rows, one for each value of the outcome; one unchanged copy if values cannot be
// enumerated.
std::vector<RowTable> with_each_value(const RowTable& rows, const OutcomeColumn& outcome) {
  std::vector<RowTable> tables(std::max<std::size_t>(1, outcome.values().size()), rows);
  for (std::size_t i = 0; i < outcome.values().size(); ++i) {
    for (std::size_t row = 0; row < rows.count(); ++row) {
      outcome.set(tables[i], row, outcome.values()[i]);
    }
  }
  return tables;
}

class OutcomePredictor {
 public:
  OutcomePredictor(const RecordModel& model, const OutcomeColumn& outcome, const RowTable& rows,
                   const PosteriorPoints& points)
      : program_(density_program(model.stan())),
        evaluator_(program_, std::span(&model.stan().record, 1)),
        outcome_(outcome),
        rows_(rows),
        points_(points),
        result_(empty_prediction(outcome, rows)) {}

  OutcomePrediction run() {
    workspaces_.resize(static_cast<std::size_t>(points_.threads));
    const std::size_t values = std::max<std::size_t>(1, outcome_.values().size());
    for_each_part(rows_.count(), rows_per_part(points_.thetas.size() * values), points_.threads,
                  [&](int worker, std::size_t first, std::size_t count) {
                    predict(static_cast<std::size_t>(worker), first, count);
                  });
    return std::move(result_);
  }

 private:
  void predict(std::size_t worker, std::size_t first, std::size_t count) {
    if (!workspaces_[worker]) workspaces_[worker].emplace(evaluator_);
    const RowTable part = rows_.part(first, count);
    const std::size_t draws = points_.thetas.size();
    std::vector<std::vector<double>> logs;
    for (const RowTable& table : with_each_value(part, outcome_)) {
      logs.emplace_back(count * draws);
      evaluator_.evaluate(*workspaces_[worker], {table, first, points_.thetas, points_.generator},
                          logs.back());
    }
    for (std::size_t row = 0; row < count; ++row) {
      if (!part.usable[row]) continue;
      std::vector<std::span<double>> own;
      for (std::vector<double>& all : logs) {
        own.push_back(std::span(all).subspan(row * draws, draws));
      }
      if (outcome_.values().empty()) {
        if (is_observed(part, row)) result_.log_density[first + row] = log_mean_exp(own[0]);
      } else {
        normalise(own);
        keep(part, row, first + row, own);
      }
    }
  }

  // Converts log densities to probabilities, at each draw.
  static void normalise(const std::vector<std::span<double>>& own) {
    for (std::size_t t = 0; t < own[0].size(); ++t) {
      if (own.size() == 2) {
        const double odds = std::exp(own[1][t] - own[0][t]);
        own[0][t] = 1.0 / (1.0 + odds);
        own[1][t] = 1.0 / (1.0 + 1.0 / odds);
        continue;
      }
      double largest = -std::numeric_limits<double>::infinity();
      for (const auto& logs : own) largest = std::max(largest, logs[t]);
      double sum = 0.0;
      for (const auto& logs : own) sum += std::exp(logs[t] - largest);
      for (const auto& logs : own) logs[t] = std::exp(logs[t] - largest) / sum;
    }
  }

  void keep(const RowTable& part, std::size_t row, std::size_t place,
            const std::vector<std::span<double>>& own) {
    const std::size_t left_out = own.size() - result_.probabilities.size();
    for (std::size_t i = 0; i < own.size(); ++i) {
      double sum = 0.0;
      for (const double probability : own[i]) sum += probability;
      result_.by_value[i][place] = sum / static_cast<double>(own[i].size());
      if (i >= left_out) result_.probabilities[i - left_out].set(place, own[i]);
    }
    if (!is_observed(part, row)) return;
    if (const auto value = outcome_.find(part, row)) {
      result_.log_density[place] = std::log(result_.by_value[*value][place]);
    }
  }

  RowProgram program_;
  RowEvaluator evaluator_;
  const OutcomeColumn& outcome_;
  const RowTable& rows_;
  const PosteriorPoints& points_;
  std::vector<std::optional<RowEvaluator::Workspace>> workspaces_;
  OutcomePrediction result_;
};

// Log density of one row, and its gradient with respect to theta.
class DensityAtPoint {
 public:
  DensityAtPoint(const RecordTape& tape, std::span<const double> theta)
      : tape_(tape),
        workspace_(tape),
        preparer_(tape),
        reals_(static_cast<std::size_t>(tape.real_columns())),
        integers_(static_cast<std::size_t>(tape.int_columns())),
        lanes_(reals_.size() * kLanes),
        integer_lanes_(integers_.size() * kLanes),
        gradient_(theta.size() * kLanes) {
    tape.begin_draw(workspace_, theta);
  }

  double evaluate(const RowTable& rows, std::size_t row, std::vector<double>& gradient) {
    preparer_.prepare({rows.reals_of(row), rows.integers_of(row)}, reals_.data(), integers_.data());
    for (std::size_t i = 0; i < reals_.size(); ++i) {
      std::fill_n(lanes_.data() + i * kLanes, kLanes, reals_[i]);
    }
    for (std::size_t i = 0; i < integers_.size(); ++i) {
      std::fill_n(integer_lanes_.data() + i * kLanes, kLanes, integers_[i]);
    }
    double value[kLanes];
    tape_.evaluate_block(workspace_, {lanes_.data(), integer_lanes_.data()}, value,
                         gradient_.data());
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = gradient_.data()[i * kLanes];
    return value[0];
  }

 private:
  const RecordTape& tape_;
  TapeWorkspace<double> workspace_;
  RecordPreparer preparer_;
  std::vector<double> reals_;
  std::vector<std::int32_t> integers_;
  LaneBuffer<double> lanes_;
  std::vector<std::int32_t> integer_lanes_;
  LaneBuffer<double> gradient_;
};

// Columns of the matrix that maps standard normal draws to the family's draws, less the location.
std::vector<std::vector<double>> columns_of(const Family& family,
                                            std::span<const double> parameters) {
  const auto location = family.location(parameters);
  std::vector<std::vector<double>> columns;
  std::vector<double> eta(family.draw_size(), 0.0);
  for (double& entry : eta) {
    entry = 1.0;
    std::vector<double>& column = columns.emplace_back(family.dimension());
    family.transform(parameters, eta, column);
    for (std::size_t i = 0; i < column.size(); ++i) column[i] -= location[i];
    entry = 0.0;
  }
  return columns;
}

double variance_along(const std::vector<std::vector<double>>& columns,
                      const std::vector<double>& direction) {
  double sum = 0.0;
  for (const std::vector<double>& column : columns) {
    const double product = std::inner_product(column.begin(), column.end(), direction.begin(), 0.0);
    sum += product * product;
  }
  return sum;
}

}  // namespace

OutcomePrediction predict_outcome(const RecordModel& model, const OutcomeColumn& outcome,
                                  const RowTable& rows, const PosteriorPoints& points) {
  return OutcomePredictor(model, outcome, rows, points).run();
}

OutcomePrediction predict_by_probit_approximation(const RecordModel& model,
                                                  const OutcomeColumn& outcome,
                                                  const RowTable& rows, const Family& family,
                                                  std::span<const double> parameters) {
  OutcomePrediction result = empty_prediction(outcome, rows);
  const auto columns = columns_of(family, parameters);
  DensityAtPoint density(model.tape(), family.location(parameters));
  std::vector<double> yes(model.dimension()), no(model.dimension());
  const std::vector<RowTable> tables = with_each_value(rows, outcome);
  for (std::size_t row = 0; row < rows.count(); ++row) {
    if (!rows.usable[row]) continue;
    const double log_odds =
        density.evaluate(tables[1], row, yes) - density.evaluate(tables[0], row, no);
    for (std::size_t i = 0; i < yes.size(); ++i) yes[i] -= no[i];
    const double shrunk =
        log_odds / std::sqrt(1.0 + std::numbers::pi * variance_along(columns, yes) / 8.0);
    const double probability = 1.0 / (1.0 + std::exp(-shrunk));
    result.by_value[0][row] = 1.0 / (1.0 + std::exp(shrunk));
    result.by_value[1][row] = probability;
    result.probabilities[0].mean[row] = probability;
    const auto value = outcome.find(rows, row);
    if (is_observed(rows, row) && value)
      result.log_density[row] = std::log(result.by_value[*value][row]);
  }
  return result;
}

}  // namespace dpvi
