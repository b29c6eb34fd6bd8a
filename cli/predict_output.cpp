#include "predict_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include <dpvi/fit/mock/mock_table.hpp>
#include <dpvi/report/number_text.hpp>

#include "json.hpp"

namespace dpvi::cli {
namespace {

constexpr int kDigits = 8;

void add_number(std::string& text, double number) { text += ',' + number_text(number, kDigits); }

}  // namespace

std::string predictions_csv(const Predictions& predictions) {
  std::string text = "row";
  for (const RowSummary& summary : predictions.summaries) {
    for (const char* ending : {"_mean", "_q5", "_q95"}) {
      text += ',' + csv_cell(summary.name + ending);
    }
  }
  for (const RowSummary& mean : predictions.means) text += ',' + csv_cell(mean.name + "_mean");
  if (!predictions.log_density.empty()) text += ",log_density";
  text += '\n';
  for (std::size_t row = 0; row < predictions.rows; ++row) {
    fmt::format_to(std::back_inserter(text), "{}", row + 1);
    for (const RowSummary& summary : predictions.summaries) {
      add_number(text, summary.mean[row]);
      add_number(text, summary.q5[row]);
      add_number(text, summary.q95[row]);
    }
    for (const RowSummary& mean : predictions.means) add_number(text, mean.mean[row]);
    if (!predictions.log_density.empty()) add_number(text, predictions.log_density[row]);
    text += '\n';
  }
  return text;
}

std::string scores_text(const OutcomeScores& scores, const std::string& column) {
  std::string text = fmt::format("Scores of {} on {} rows", column, scores.rows);
  if (scores.left_out > 0) text += fmt::format(", {} left out", scores.left_out);
  text += '\n';
  if (scores.rows == 0) return text;
  const auto add = [&](const char* name, double value) {
    text += fmt::format("  {:<24}{:>10}\n", name, number_text(value, 4));
  };
  add("log predictive density", scores.log_predictive_density);
  if (scores.accuracy) add("accuracy", *scores.accuracy);
  if (scores.brier) add("Brier score", *scores.brier);
  if (scores.calibration.empty()) return text;
  text += "  predicted between      rows   predicted    observed\n";
  for (const CalibrationBin& bin : scores.calibration) {
    text += fmt::format("  {:.1f} and {:.1f}      {:>10}{:>12.3f}{:>12.3f}\n", bin.lower, bin.upper,
                        bin.rows, bin.predicted, bin.observed);
  }
  return text;
}

std::string scores_json(const OutcomeScores& scores, const std::string& column) {
  const auto number = [](double value) {
    return std::isfinite(value) ? Json(value) : Json(exact_text(value));
  };
  const auto number_or_null = [&](const std::optional<double>& value) {
    return value ? number(*value) : Json();
  };
  Json document = {
      {"column", column},
      {"rows", scores.rows},
      {"left_out", scores.left_out},
      {"log_predictive_density", scores.rows > 0 ? number(scores.log_predictive_density) : Json()},
      {"accuracy", number_or_null(scores.accuracy)},
      {"brier", number_or_null(scores.brier)},
      {"calibration", Json::array()}};
  for (const CalibrationBin& bin : scores.calibration) {
    document["calibration"].push_back({{"lower", bin.lower},
                                       {"upper", bin.upper},
                                       {"rows", bin.rows},
                                       {"predicted", bin.predicted},
                                       {"observed", bin.observed}});
  }
  return document.dump();
}

}  // namespace dpvi::cli
