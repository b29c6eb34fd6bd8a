#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <dpvi/api/number_texts.hpp>
#include <dpvi/api/setting_texts.hpp>
#include <dpvi/api/settings.hpp>
#include <dpvi/api/simulate.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/report/atomic_folder.hpp>
#include <dpvi/report/page/simulation_page.hpp>

#include "command.hpp"
#include "config_file.hpp"
#include "interrupt.hpp"
#include "model_flags.hpp"
#include "progress.hpp"
#include "simulate_output.hpp"

namespace dpvi::cli {
namespace {

// What a simulation decides itself, or what only a fit of a table has.
constexpr const char* kNotOfSimulations[] = {"epsilon",       "seed",         "non-private",
                                             "dry-run",       "threads",      "profile",
                                             "inspect-first", "public-names", "noise-multiplier"};

std::vector<std::string> names_of_settings() {
  std::vector<std::string> names;
  for (const Setting& setting : all_settings()) {
    if (std::ranges::find(kNotOfSimulations, setting.name) == std::end(kNotOfSimulations)) {
      names.push_back(setting.name);
    }
  }
  return names;
}

class SimulateCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Tells what a fit will be worth: fits mock tables, whose true parameters are known, as "
        "'dpvi fit' would, and reads no record.");
    model_.declare(app);
    app.add_option("--rows", rows_, "rows of the table, one or several: 1000,10000");
    app.add_option("--epsilon", epsilon_, "privacy budgets, one or several: .3,1,3");
    app.add_option("--delta", delta_, help_of(setting("delta")));
    app.add_option("--settings", settings_,
                   "settings of fits to compare: a TOML file with a table for each");
    app.add_option("--tables", tables_, "number of mock tables (default: what --seconds allow)");
    app.add_option("--seconds", seconds_, "time to spend, approximately (default 60)");
    app.add_option("--seed", seed_,
                   "seed of the true parameters and tables (default 1); noise is always fresh");
    app.add_option("--threads", threads_, "fits at a time (default: all cores)");
    app.add_option("--html", html_, "also write a page with pictures");
    declare_common(app);
    app.footer(
        "Example:\n"
        "  dpvi simulate model.stan --schema schema.toml --rows 1000,10000 --epsilon .3,1,3");
  }

  std::string run() override {
    const SimulationRequest given = request();
    if (!html_.empty()) check_can_create(html_);
    const Program program = read_program(model_.source());
    SimulationRequest request = given;
    if (request.rows.empty()) {
      const auto& declared = program.inputs().schema.rows;
      if (!declared) {
        throw UsageError(kContradiction, "--rows is missing.",
                         "Give the number of rows of the table, or several.");
      }
      request.rows = {*declared};
    }
    watch_for_interrupts();
    Progress progress("", quiet, "fit");
    request.progress = [&](std::int64_t done, std::int64_t all) {
      if (done > 0) progress.show(done, all);
      return !interrupted();
    };
    const Simulation simulation = simulate(program, request);
    if (!html_.empty()) write_new_file(html_, simulation_html(simulation, program.name()));
    return json ? simulation_json(simulation) : simulation_text(simulation);
  }

 private:
  SimulationRequest request() const;
  std::vector<NamedFit> fits() const;

  ModelFlags model_;
  std::string rows_, epsilon_, delta_, settings_, tables_, seconds_, seed_ = "1", threads_, html_;
};

std::vector<NamedFit> SimulateCommand::fits() const {
  std::vector<NamedSettings> found = {{}};
  if (!settings_.empty()) found = read_settings_file(settings_, names_of_settings());
  std::vector<NamedFit> fits;
  for (const NamedSettings& settings : found) {
    SettingTexts texts{.values = settings.values, .phases = settings.phases};
    if (!delta_.empty()) texts.values.insert_or_assign("delta", delta_);
    fits.push_back({settings.name, fit_request(texts)});
  }
  return fits;
}

SimulationRequest SimulateCommand::request() const {
  SimulationRequest request{.epsilons = {}, .rows = {}, .fits = fits()};
  if (epsilon_.empty()) {
    throw UsageError(kContradiction, "--epsilon is missing.",
                     "Give a privacy budget, or several: --epsilon .3,1,3.");
  }
  for (const std::string& text : split(epsilon_, ',')) {
    request.epsilons.push_back(parse_positive("--epsilon", text));
  }
  if (!rows_.empty()) {
    for (const std::string& text : split(rows_, ',')) {
      request.rows.push_back(parse_whole_in("--rows", text, 1, kMostMockRows));
    }
  }
  if (!tables_.empty()) {
    request.tables = parse_whole_in("--tables", tables_, 1, kMostMockTables);
  }
  if (!seconds_.empty()) request.seconds = parse_positive("--seconds", seconds_);
  request.seed = static_cast<std::uint64_t>(parse_whole_in("--seed", seed_, 0, INT64_MAX));
  SettingTexts threads;
  if (!threads_.empty()) threads.values["threads"] = threads_;
  request.threads = thread_count(threads);
  return request;
}

}  // namespace

std::unique_ptr<Command> make_simulate_command() { return std::make_unique<SimulateCommand>(); }

}  // namespace dpvi::cli
