#include "reproduce_plan.hpp"

#include <fmt/format.h>

#include <cmath>

#include <dpvi/api/start_choice.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/text_columns.hpp>
#include <dpvi/experiment/experiment_errors.hpp>
#include <dpvi/experiment/published_file.hpp>
#include <dpvi/experiment/uci_tables.hpp>
#include <dpvi/privacy/published_accountants.hpp>
#include <dpvi/privacy/published_sgld.hpp>

#include "config_file.hpp"
#include "fit_flags.hpp"

namespace dpvi::cli {
namespace {

// A program that declares this variable receives the number of training rows, as the published code
// did.
const std::string kTrainingRows = "training_rows";

// Removes declared means and standard deviations. The paper's settings assume known columns but no
// facts about their contents.
Schema without_facts(Schema schema) {
  for (ColumnSchema& column : schema.columns) {
    column.mean.reset();
    column.sd.reset();
  }
  return schema;
}

RowTable rows_to_score(const RecordModel& model, const Binding& binding,
                       const ExperimentTable& table) {
  TableRows rows = test_rows(table);
  TextColumns source(rows, column_request(binding));
  const RecordTable records = read_records(source, binding);
  RowTable result = empty_rows(model.stan().record_variables, records.record_count());
  result.usable = fill_rows(result, model.stan().record_variables, binding, records);
  result.observed = result.usable;
  return result;
}

PreparedTask prepare_task(const std::filesystem::path& model_file, const Series& series,
                          const ExperimentTable& table) {
  const ProgramSource source{.model_file = model_file.string()};
  const bool wants_rows = read_program(source).data().find(kTrainingRows) != nullptr;
  ProgramInputs inputs = read_program_inputs(source);
  inputs.schema = series.declared ? table.schema : without_facts(table.schema);
  if (series.declared) inputs.schema.rows = static_cast<std::int64_t>(table.training_rows);
  if (wants_rows) {
    inputs.schema.public_values[kTrainingRows] =
        PublicValue::integer(static_cast<double>(table.training_rows), "the experiment's table");
  }
  auto bound = std::make_shared<const BoundModel>(
      bind_to_columns(Program(std::move(inputs)), table.header, series.table));
  RowTable test = rows_to_score(bound->model, bound->binding, table);
  OutcomeColumn outcome(bound->binding, table.outcome);
  MockStudy study = study_for(*bound, {});
  return {std::move(bound), &table, std::move(outcome), std::move(test), std::move(study)};
}

// Flags of `dpvi fit` for one point of a figure.
using FlagList = std::vector<std::pair<std::string, std::string>>;

void add(FlagList& flags, const std::string& name, double value) {
  flags.emplace_back(name, fmt::format("{}", value));
}

double sampling_rate_of(const Series& series) {
  return series.number("sampling-rate").value_or(kDefaultSamplingRate);
}

FlagList flags_of(const Series& series, const SeriesPoint& point) {
  FlagList flags = series.flags;
  if (series.method == Method::non_private) return flags;
  add(flags, "delta", series.delta);
  if (series.scaled_clip_bound) {
    add(flags, "clip-bound", *series.scaled_clip_bound * sampling_rate_of(series));
  }
  if (series.method == Method::dp_sgld) {
    const double rate = sampling_rate_of(series);
    const SgldRun run{*point.epsilon, series.delta, series.sgld.passes, rate};
    add(flags, "noise-multiplier", published_sgld_noise_multiplier(run));
    flags.emplace_back("steps", fmt::format("{:.0f}", series.sgld.passes / rate));
    flags.emplace_back("clip", "fixed");
    add(flags, "clip-bound", series.sgld.lipschitz);
    flags.emplace_back("learning-rate", "1");
    flags.emplace_back("schedule", "harmonic");
  } else if (point.sigma) {
    add(flags, "noise-multiplier", 2.0 * *point.sigma);
  } else {
    add(flags, "epsilon", *point.epsilon);
  }
  return flags;
}

std::string setting_text(const Series& series, const SeriesPoint& point) {
  std::string words;
  const auto add_word = [&](const char* name, const std::optional<double>& value) {
    if (value) words += fmt::format("{}{} {:.4g}", words.empty() ? "" : ", ", name, *value);
  };
  add_word("epsilon", point.epsilon);
  add_word("sigma", point.sigma);
  add_word("q", series.number("sampling-rate"));
  add_word("T", series.number("steps"));
  add_word("c", series.scaled_clip_bound ? series.scaled_clip_bound : series.number("clip-bound"));
  return words.empty() ? "-" : words;
}

// Adds the privacy cost under our accounting and under the published accountings.
void add_costs(PointResult& result, const PlannedPoint& planned, const SeriesPoint& point) {
  result.epsilon_asked = point.epsilon;
  result.epsilon_published = point.published_epsilon;
  result.epsilon_substitute = planned.planned->privacy().epsilon_substitute;
  result.epsilon_add_remove = planned.planned->privacy().epsilon_add_remove;
  if (planned.series->method == Method::dp_sgld) result.epsilon_paper = point.epsilon;
  if (!point.sigma) return;
  GaussianPhase as_published = planned.planned->privacy().run[0];
  as_published.noise_multiplier = *point.sigma;
  result.epsilon_paper =
      moments_epsilon({&as_published, 1}, planned.series->accounted_delta).epsilon;
  result.epsilon_advanced =
      published_advanced_composition_epsilon(as_published, planned.series->delta);
}

}  // namespace

ExperimentTables::ExperimentTables(std::filesystem::path data,
                                   std::vector<std::pair<std::string, MixtureData>> mixtures)
    : data_(std::move(data)), mixtures_(std::move(mixtures)) {}

const MixtureData* ExperimentTables::mixture(const std::string& name) const {
  for (const auto& [own, data] : mixtures_) {
    if (own == name) return &data;
  }
  return nullptr;
}

const ExperimentTable& ExperimentTables::table(const std::string& name, const SourcePlace& place) {
  const auto found = tables_.find(name);
  if (found != tables_.end()) return found->second;
  const auto adult = [&](auto make) {
    return make(read_published_file(data_, kAdultData), read_published_file(data_, kAdultTest));
  };
  const auto made = [&] {
    if (const MixtureData* data = mixture(name)) return mixture_table(*data);
    if (name == "abalone") return abalone_table(read_published_file(data_, kAbaloneData));
    if (name == "adult") return adult(adult_label_coded);
    if (name == "adult-one-hot") return adult(adult_one_hot);
    throw InputError(kBadExperiment, fmt::format("there is no table '{}'.", name),
                     "Tables are abalone, adult, adult-one-hot and the file's own mixtures.",
                     place);
  };
  return tables_.emplace(name, made()).first->second;
}

const PreparedTask& ExperimentPlanner::task_of(const Series& series) {
  const std::string key = fmt::format("{} {} {} {}", series.model, series.table, series.declared,
                                      series.method == Method::non_private);
  std::unique_ptr<PreparedTask>& task = tasks_[key];
  if (!task) {
    task = std::make_unique<PreparedTask>(
        prepare_task(experiments_ / "models" / (series.model + ".stan"), series,
                     tables_.table(series.table, series.place)));
  }
  return *task;
}

PlannedPoint ExperimentPlanner::plan(const Series& series, const SeriesPoint& point,
                                     std::size_t runs) {
  const PreparedTask& task = task_of(series);
  FitFlags flags;
  CLI::App app;
  flags.declare(app);
  set_flags(app, flags_of(series, point), series.place);
  PlannedPoint planned{&series, &task, {}, {}, runs, {}};
  PointResult& result = planned.result;
  if (series.method != Method::non_private) {
    FitRequest request = flags.request();
    if (series.method == Method::dp_sgld) {
      request.settings.langevin = LangevinSettings{.radius = series.sgld.lipschitz - 1.0};
    }
    planned.planned.emplace(task.bound, plan_privacy_of_fit(request.privacy), request, task.study);
    result.delta = series.delta;
    add_costs(result, planned, point);
  } else {
    planned.unprotected = flags.unprotected_request();
    planned.unprotected.settings.initial =
        read_start(planned.unprotected.init, task.bound->model, StartOf::unprotected_fit).values;
  }
  result.figure = series.figure;
  result.reading = series.reading;
  result.series = series.name;
  result.method = std::string(name_of(series.method));
  result.setting = setting_text(series, point);
  result.measure = task.outcome.values().empty() ? "log density" : "accuracy";
  result.target = point.target;
  return planned;
}

}  // namespace dpvi::cli
