#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

#include <dpvi/base/error.hpp>
#include <dpvi/base/utc_clock.hpp>
#include <dpvi/experiment/experiment_errors.hpp>

#include "command.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "numbers.hpp"
#include "privacy_flags.hpp"
#include "reproduce_output.hpp"

namespace dpvi::cli {
namespace {

constexpr int kExitMissed = 1;
// `all` selects all but the last.
const std::vector<std::string> kFigures = {"fig1-abalone", "fig1-adult", "fig2",      "fig3",
                                           "fig4",         "fig5",       "deviations"};

// Looks beside the installed program, then in the source tree of the build.
std::filesystem::path find_experiments() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const char* place : {"../share/dpvi/experiments/uai2017", "../../experiments/uai2017"}) {
    const std::filesystem::path folder = program.parent_path() / place;
    if (std::filesystem::is_directory(folder, error)) return folder.lexically_normal();
  }
  throw MissingInputError(kFileMissing, "the experiments' description was not found.",
                          "Give the folder that holds as-text.toml with --experiments.");
}

class ReproduceCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Reproduces the figures of Jalko, Dikmen & Honkela (2017): a table and a chart for each, "
        "with expected and obtained values. Exits with status 1 if a target is missed.");
    app.add_option("FIGURE", figure_,
                   fmt::format("{} or all (the figures)", fmt::join(kFigures, ", ")))
        ->required();
    app.add_option("--data", data_,
                   "folder with abalone.data, adult.data and adult.test of the UCI Machine "
                   "Learning Repository")
        ->required();
    app.add_option("--runs", runs_, "runs of each point (default 10)");
    app.add_option("--out", out_, "folder to write to")->required();
    app.add_option("--experiments", experiments_, "folder with descriptions and models");
    app.add_option("--threads", threads_, "runs in parallel (default: all cores)");
    app.add_flag("--quick", quick_,
                 "few points and wide tolerances: tests whether it works, not how well");
    declare_common(app);
    app.footer("Example:\n  dpvi reproduce fig1-abalone --data uci --runs 10 --out figures");
  }

  std::string run() override;

 private:
  std::vector<Figure> run_figures();
  std::string json_output(const std::vector<Figure>& figures) const;

  std::string figure_, data_, runs_ = "10", out_, experiments_;
  std::optional<std::string> threads_;
  bool quick_ = false;
  ReproductionRun shown_;
};

// Series, leads and mixtures of all readings for the requested figures.
struct Chosen {
  std::vector<Series> series;
  std::vector<RankingRequirement> leads;
  std::vector<std::pair<std::string, MixtureData>> mixtures;
};

// Returns every .toml file of the folder, sorted by name.
std::vector<std::filesystem::path> reading_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  if (files.empty()) {
    throw MissingInputError(kFileMissing,
                            fmt::format("'{}' has no description of experiments.", folder.string()),
                            "Give the folder that holds as-text.toml with --experiments.");
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool is_wanted(const std::string& figure, const std::string& wanted) {
  return wanted == "all" ? figure != kFigures.back() : figure == wanted;
}

Chosen read_readings(const std::filesystem::path& folder, const std::string& figure, bool quick) {
  Chosen chosen;
  for (const std::filesystem::path& file : reading_files(folder)) {
    ExperimentFile reading = read_reading(file.string(), {.quick = quick});
    for (Series& series : reading.series) {
      if (std::find(kFigures.begin(), kFigures.end(), series.figure) == kFigures.end()) {
        throw InputError(kBadExperiment, fmt::format("there is no figure '{}'.", series.figure),
                         fmt::format("Figures are {}.", fmt::join(kFigures, ", ")), series.place);
      }
      if (series.points.empty() || !is_wanted(series.figure, figure)) continue;
      chosen.series.push_back(std::move(series));
    }
    for (RankingRequirement& lead : reading.leads) chosen.leads.push_back(std::move(lead));
    for (auto& mixture : reading.mixtures) chosen.mixtures.push_back(std::move(mixture));
  }
  return chosen;
}

// Adds the difference between two points of a figure as a further point.
void add_lead(const RankingRequirement& lead, std::vector<PointResult>& points) {
  const auto find = [&](const std::string& series, std::size_t place) -> const PointResult* {
    for (const PointResult& point : points) {
      const bool same = point.reading == lead.reading && point.series == series;
      if (same && place-- == 0) return &point;
    }
    return nullptr;
  };
  const PointResult* ahead = find(lead.ahead, lead.ahead_point);
  const PointResult* behind = find(lead.behind, lead.behind_point);
  if (ahead == nullptr || behind == nullptr) return;
  PointResult result = *behind;
  result.series = fmt::format("{} ahead of {}", lead.ahead, lead.behind);
  result.method = "difference";
  result.setting = fmt::format("{} against {}", ahead->setting, behind->setting);
  result.epsilon_substitute = result.epsilon_add_remove = std::nullopt;
  result.score.mean = ahead->score.mean - behind->score.mean;
  result.score.worst = ahead->score.worst - behind->score.worst;
  result.score.standard_error =
      std::hypot(ahead->score.standard_error, behind->score.standard_error);
  result.log_score = std::nullopt;
  result.target = Target{GateKind::at_least, lead.by, 0.0, {}, {}};
  result.verdict = judge(*result.target, result.score, {});
  points.push_back(std::move(result));
}

std::vector<Figure> ReproduceCommand::run_figures() {
  const std::filesystem::path experiments =
      experiments_.empty() ? find_experiments() : std::filesystem::path(experiments_);
  const Chosen chosen = read_readings(experiments, figure_, quick_);
  ExperimentTables tables(data_, chosen.mixtures);
  ExperimentPlanner planner(experiments, tables);
  std::vector<PlannedPoint> planned;
  {
    const StopAtOnce planning;
    for (const Series& series : chosen.series) {
      const std::size_t runs =
          series.method == Method::non_private ? 1 : shown_.runs * series.runs_factor;
      for (const SeriesPoint& point : series.points) {
        planned.push_back(planner.plan(series, point, runs));
      }
    }
  }
  const std::vector<KeptPosterior> kept = run_points(planned, shown_.threads, quiet);
  for (const auto& [name, mixture] : chosen.mixtures) {
    shown_.seeds.push_back(
        fmt::format("The points of '{}' were drawn with seed {}.", name, mixture.seed));
  }
  std::vector<Figure> figures;
  for (const std::string& name : kFigures) {
    Figure figure{name, {}};
    std::vector<MixtureView> views;
    for (std::size_t i = 0; i < planned.size(); ++i) {
      const PlannedPoint& point = planned[i];
      if (point.result.figure != name) continue;
      figure.points.push_back(point.result);
      views.push_back({fmt::format("{} ({})", point.result.series, point.result.reading),
                       point.result.setting,
                       &tables.table(point.series->table, point.series->place),
                       &point.task->bound->model, &kept[i]});
    }
    if (figure.points.empty()) continue;
    for (const RankingRequirement& lead : chosen.leads) {
      if (lead.figure == name) add_lead(lead, figure.points);
    }
    if (name == "fig5") {
      draw_mixtures(figure, views);
    } else {
      draw_figure(figure);
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

// The JSON writer turns non-finite numbers into null.
Json json_point(const PointResult& point) {
  Json entry = {{"figure", point.figure},
                {"reading", point.reading},
                {"series", point.series},
                {"setting", point.setting},
                {"measure", point.measure}};
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) entry[name] = *value;
  };
  if (point.delta > 0.0) entry["delta"] = point.delta;
  add("epsilon_paper", point.epsilon_paper);
  add("epsilon_paper_advanced", point.epsilon_advanced);
  add("epsilon_substitute", point.epsilon_substitute);
  add("epsilon_add_remove", point.epsilon_add_remove);
  entry["mean"] = point.score.mean;
  entry["standard_error"] = point.score.standard_error;
  entry["runs"] = point.score.runs;
  entry["worst"] = point.score.worst;
  if (point.log_score) entry["log_score"] = point.log_score->mean;
  if (point.target) {
    entry["gate"] = name_of(point.target->gate);
    entry["expected"] = point.target->expected;
    entry["tolerance"] = point.target->tolerance;
  }
  if (point.verdict) {
    entry["verdict"] = name_of(point.verdict->outcome);
    if (point.undecided()) entry["runs_needed"] = point.verdict->runs_needed;
    entry["miss_in_standard_errors"] = point.verdict->miss;
  }
  entry["missed"] = point.missed();
  return entry;
}

std::string ReproduceCommand::json_output(const std::vector<Figure>& figures) const {
  Json list = Json::array();
  for (const Figure& figure : figures) {
    for (const PointResult& point : figure.points) list.push_back(json_point(point));
  }
  const Json document = {{"ok", exit_code == kExitOk}, {"out", out_},
                         {"seconds", shown_.seconds},  {"threads", shown_.threads},
                         {"quick", shown_.quick},      {"points", std::move(list)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string ReproduceCommand::run() {
  if (figure_ != "all" && std::find(kFigures.begin(), kFigures.end(), figure_) == kFigures.end()) {
    std::vector<std::string> names = kFigures;
    names.emplace_back("all");
    refuse_name("FIGURE", figure_, names);
  }
  const auto start = std::chrono::steady_clock::now();
  shown_.started_at = utc_now();
  shown_.runs = static_cast<std::size_t>(parse_whole_in("--runs", runs_, 1, 100000));
  shown_.threads = parse_threads(threads_);
  shown_.quick = quick_;
  shown_.seeds = {
      "Each private run draws its noise and batches from a new 256-bit key, which is not kept. "
      "Private runs cannot be repeated bit by bit, because repeatable noise would protect nobody.",
      "Run r uses seed r for a fit without protection and for the draws that score its posterior."};
  watch_for_interrupts();
  check_can_create(out_);
  const std::vector<Figure> figures = run_figures();
  std::vector<PointResult> all;
  for (const Figure& figure : figures) {
    all.insert(all.end(), figure.points.begin(), figure.points.end());
  }
  shown_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  write_folder(out_, reproduction_files(figures, shown_));
  const auto missed = std::ranges::count_if(all, &PointResult::missed);
  const auto undecided = std::ranges::count_if(all, &PointResult::undecided);
  if (missed > 0) exit_code = kExitMissed;
  if (json) return json_output(figures);
  return results_table(all) +
         fmt::format(
             "\n{} of the gated targets missed, {} undecided; {:.0f} seconds; see {}/index.html\n",
             missed, undecided, shown_.seconds, out_);
}

}  // namespace

std::unique_ptr<Command> make_reproduce_command() { return std::make_unique<ReproduceCommand>(); }

}  // namespace dpvi::cli
