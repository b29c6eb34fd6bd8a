#include "simulate_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <dpvi/eval/simulation_summary.hpp>

#include "json.hpp"

namespace dpvi::cli {
namespace {

// More cells are only compared with each other; --json has all.
constexpr std::size_t kMostDetailed = 6;

std::string number_cell(double value) {
  return std::isfinite(value) ? fmt::format("{:.3g}", value) : "-";
}

std::string share_cell(double share) {
  return std::isfinite(share) ? fmt::format("{:.3g} %", 100.0 * share) : "-";
}

std::string with_error(double value, double error) {
  if (!std::isfinite(value)) return "-";
  return std::isfinite(error) ? fmt::format("{:.2g} ± {:.1g}", value, error)
                              : fmt::format("{:.2g}", value);
}

std::string coverage_cell(double share, double error) {
  if (!std::isfinite(share)) return "-";
  return fmt::format("{:.2f} ± {:.2f}", share, error);
}

// Pads on the left to a width in letters; the sign ± has two bytes.
std::string right(const std::string& text, std::size_t width) {
  const std::size_t extra = text.find("±") == std::string::npos ? 0 : 1;
  return fmt::format("{:>{}}", text, width + extra);
}

std::string statuses_text(const SimulatedCell& cell) {
  std::string text;
  for (const FitStatus status : kFitStatuses) {
    if (cell.count(status) == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", cell.count(status), name_of(status));
  }
  return text;
}

std::string cell_name(const SimulatedCell& cell) {
  return fmt::format("{}epsilon {:.3g}, {} rows", cell.settings.empty() ? "" : cell.settings + ", ",
                     cell.epsilon, cell.rows);
}

std::string detail_text(const Simulation& simulation, const SimulatedCell& cell) {
  std::string text =
      fmt::format("\n{}: {} fits, {}\n", cell_name(cell), cell.posterior, statuses_text(cell));
  for (const auto& [words, count] : cell.reasons) {
    text += fmt::format("  {} of {}: {}\n", count, cell.fits(), words);
  }
  text += fmt::format("  {:<20}{:>10}{:>12}{:>14}{:>20}{:>10}{:>10}{:>10}\n", "", "interval",
                      "of prior's", "covers truth", "bias", "rmse", "sd model", "privacy");
  for (const SummarisedNumber& row : summarised_numbers(simulation, cell)) {
    const FitScore& score = row.score;
    text += fmt::format("  {:<20}{:>10}{:>12}{}{}{:>10}{:>10}{:>10}\n", row.name,
                        number_cell(score.width), share_cell(score.width_of_prior),
                        right(coverage_cell(score.coverage, score.coverage_se), 14),
                        right(with_error(score.bias, score.bias_se), 20), number_cell(score.rmse),
                        number_cell(score.sd_model), number_cell(score.sd_privacy));
  }
  return text;
}

// One line for each cell.
std::string comparison_text(const Simulation& simulation) {
  std::size_t widest = 4;
  for (const SimulatedCell& cell : simulation.cells) {
    widest = std::max(widest, cell_name(cell).size());
  }
  std::string text = fmt::format("\n{:<{}}{:>20}{:>16}{:>12}  {}\n", "", widest,
                                 "interval of prior's", "covers truth", "s per fit", "status");
  for (const SimulatedCell& cell : simulation.cells) {
    const CellSummary summary = summary_of(cell);
    text += fmt::format("{:<{}}{:>20}{}{:>12}  {}\n", cell_name(cell), widest,
                        share_cell(summary.width_of_prior),
                        right(coverage_cell(summary.coverage, summary.coverage_se), 16),
                        number_cell(cell.seconds), statuses_text(cell));
  }
  return text;
}

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json score_json(const FitScore& score) {
  return {{"fits", score.fits},
          {"bias", finite_or_null(score.bias)},
          {"bias_se", finite_or_null(score.bias_se)},
          {"rmse", finite_or_null(score.rmse)},
          {"width", finite_or_null(score.width)},
          {"width_of_prior", finite_or_null(score.width_of_prior)},
          {"coverage", finite_or_null(score.coverage)},
          {"coverage_se", finite_or_null(score.coverage_se)},
          {"prior_share", finite_or_null(score.prior_share)},
          {"sd", finite_or_null(score.sd)},
          {"sd_model", finite_or_null(score.sd_model)},
          {"sd_privacy", finite_or_null(score.sd_privacy)}};
}

Json cell_json(const Simulation& simulation, const SimulatedCell& cell) {
  Json statuses = Json::object(), reasons = Json::object(), variables = Json::object();
  for (const FitStatus status : kFitStatuses) {
    statuses[std::string(name_of(status))] = cell.count(status);
  }
  for (const auto& [words, count] : cell.reasons) reasons[words] = count;
  for (std::size_t i = 0; i < cell.scores.size(); ++i) {
    variables[simulation.numbers[i].name] = score_json(cell.scores[i]);
  }
  return {{"settings", cell.settings.empty() ? Json() : Json(cell.settings)},
          {"epsilon", cell.epsilon},
          {"delta", cell.delta},
          {"rows", cell.rows},
          {"posterior", cell.posterior},
          {"posterior_reason", cell.posterior_reason},
          {"fits", cell.fits()},
          {"status", statuses},
          {"reasons", reasons},
          {"seconds", cell.seconds},
          {"variables", variables}};
}

}  // namespace

std::string simulation_text(const Simulation& simulation) {
  std::string text =
      fmt::format("{} mock tables (seed {}) with known true parameters; no record was read.\n",
                  simulation.tables, simulation.seed);
  for (const std::string& note : simulation.notes) text += fmt::format("note: {}.\n", note);
  if (simulation.cells.size() > 1) text += comparison_text(simulation);
  if (simulation.cells.size() > kMostDetailed) {
    return text + "\nEach line is over all parameters; --json has every one of them.\n";
  }
  for (const SimulatedCell& cell : simulation.cells) text += detail_text(simulation, cell);
  return text +
         "\nIntervals hold 90 %; their widths and sds are medians over the fits. Failed fits are "
         "left"
         " out.\nMock columns are independent and follow the schema; real tables often do worse.\n";
}

std::string simulation_json(const Simulation& simulation) {
  Json numbers = Json::object(), cells = Json::array();
  for (const SimulatedNumber& number : simulation.numbers) {
    numbers[number.name] = {{"sd", finite_or_null(number.prior_sd)},
                            {"width", finite_or_null(number.prior_width)}};
  }
  for (const SimulatedCell& cell : simulation.cells) cells.push_back(cell_json(simulation, cell));
  const Json document = {{"ok", true},
                         {"tables", simulation.tables},
                         {"seed", simulation.seed},
                         {"outcomes", simulation.outcomes},
                         {"notes", simulation.notes},
                         {"prior", numbers},
                         {"cells", cells}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dpvi::cli
