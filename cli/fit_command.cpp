#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/json_records.hpp>
#include <dpvi/data/public_facts.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/fit/fit.hpp>
#include <dpvi/fit/program_data.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/report/atomic_folder.hpp>
#include <dpvi/report/bundle_writer.hpp>

#include "command.hpp"
#include "fit_output.hpp"
#include "interrupt.hpp"
#include "model_inputs.hpp"
#include "numbers.hpp"
#include "privacy_flags.hpp"
#include "progress.hpp"
#include "version.hpp"

namespace dpvi::cli {
namespace {

constexpr std::int64_t kDefaultSteps = 1000;
constexpr double kDefaultDelta = 1e-6;
// A fit without protection takes all records of a small table in each step.
constexpr double kUnprotectedBatch = 20000.0;
constexpr std::int64_t kUnprotectedSteps = 3000;

std::string utc_now() {
  return fmt::format(
      "{:%Y-%m-%d %H:%M:%S}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

std::int64_t whole_in(const std::string& flag, const std::string& text, std::int64_t lower,
                      std::int64_t upper) {
  const std::int64_t value = parse_whole(flag, text);
  if (value < lower || value > upper) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("{} is '{}'; it must be a whole number from {} to {}.", flag, text,
                                 lower, upper),
                     "");
  }
  return value;
}

// The records, bound to what the program reads.
struct OpenedData {
  Binding binding;
  std::vector<PublicFact> public_facts;
  RecordTable records;
};

class FitCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Fits a Stan program to private records; writes a bundle that may be published.");
    model_.declare(app);
    app.add_option("DATA", data_, "records: CSV (also .gz, .zst) or Stan JSON")->required();
    app.add_option("--out", out_, "folder to write the bundle to");
    privacy_.declare(app);
    app.add_option("--clip-bound", clip_bound_, "largest gradient norm of a record");
    app.add_option("--family", family_, "mean-field (default) or full-rank");
    app.add_option("--learning-rate", learning_rate_, "step size of Adam (default 1/sqrt(steps))");
    app.add_option("--average", average_, "tail (default): mean of the last iterates; or none");
    app.add_option("--draws", draws_, "draws from the posterior (default 1000)");
    app.add_option("--rows", rows_, "declared table size, for the noise forecast");
    app.add_option("--threads", threads_, "threads (default: all cores); never changes the result");
    app.add_option("--public-names", public_names_, "variables of a JSON file that are public");
    app.add_flag("--non-private", non_private_, "no protection; the result is stamped so");
    app.add_option("--seed", seed_, "only with --non-private");
    app.add_flag("--dry-run", dry_run_, "plan and noise forecast; opens no private file");
    declare_common(app);
    app.footer("Example:\n  dpvi fit model.stan records.csv --epsilon 1 --out result");
  }

  std::string run() override;

 private:
  FitSettings settings() const;
  int threads() const;
  PrivacyPlan plan() const;
  GaussianPhase unprotected_phase(std::uint64_t records) const;
  void check_flags() const;
  OpenedData open_data(const ModelInputs& inputs, const DataBlock& data) const;
  std::string dry_run(const ModelInputs& inputs, const DataBlock& data,
                      const PrivacyPlan& plan) const;
  std::optional<double> rows(const Schema& schema) const;
  void say(const std::string& text) const {
    if (!quiet) fmt::print(stderr, "{}", text);
  }

  ModelFlags model_;
  PrivacyFlags privacy_;
  std::string data_, out_;
  std::string family_ = "mean-field";
  std::string average_ = "tail";
  std::string public_names_;
  std::optional<std::string> clip_bound_, learning_rate_, draws_, rows_, threads_, seed_;
  bool non_private_ = false;
  bool dry_run_ = false;
};

FitSettings FitCommand::settings() const {
  FitSettings settings;
  if (family_ == "full-rank") {
    settings.family = FamilyKind::full_rank;
  } else if (family_ != "mean-field") {
    refuse_name("--family", family_, {"mean-field", "full-rank"});
  }
  if (clip_bound_) settings.clip_bound = parse_positive("--clip-bound", *clip_bound_);
  if (learning_rate_) {
    settings.learning_rate = parse_positive("--learning-rate", *learning_rate_);
  }
  if (average_ == "none") {
    settings.averaged_share = 1e-12;  // the last iterate alone
  } else if (average_ != "tail") {
    refuse_name("--average", average_, {"tail", "none"});
  }
  if (draws_) settings.draws = whole_in("--draws", *draws_, 1, 1000000);
  return settings;
}

int FitCommand::threads() const {
  if (threads_) return static_cast<int>(whole_in("--threads", *threads_, 1, 1024));
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

void FitCommand::check_flags() const {
  if (seed_ && !non_private_) {
    throw UsageError(kContradiction, "--seed goes only with --non-private.",
                     "Noise that can be repeated protects nobody.");
  }
  if (out_.empty() && !dry_run_) {
    throw UsageError(kContradiction, "--out is missing.", "Name the folder for the bundle.");
  }
}

PrivacyPlan FitCommand::plan() const {
  PrivacyPlanRequest request = privacy_.request();
  if (!request.epsilon && !request.noise_multiplier) {
    throw UsageError(kContradiction, "--epsilon is missing.",
                     "Say how private the result must be, for example --epsilon 1.");
  }
  if (!request.delta) request.delta = kDefaultDelta;
  if (!request.steps) request.steps = kDefaultSteps;
  if (request.epsilon && request.noise_multiplier) {
    throw UsageError(kContradiction, "--epsilon and --noise-multiplier contradict each other.",
                     "Give one; the other is computed.");
  }
  return make_privacy_plan(request);
}

GaussianPhase FitCommand::unprotected_phase(std::uint64_t records) const {
  const PrivacyPlanRequest request = privacy_.request();
  if (request.epsilon || request.noise_multiplier) {
    throw UsageError(kContradiction, "--non-private has neither epsilon nor noise.",
                     "Leave out --epsilon and --noise-multiplier.");
  }
  const double whole =
      std::min(1.0, kUnprotectedBatch / std::max(1.0, static_cast<double>(records)));
  return {request.sampling_rate.value_or(whole), 1.0, request.steps.value_or(kUnprotectedSteps)};
}

OpenedData FitCommand::open_data(const ModelInputs& inputs, const DataBlock& data) const {
  BindingRequest request = binding_request(inputs, data);
  request.table_file = data_;
  if (data_.ends_with(".json")) {
    const std::vector<std::string> names =
        public_names_.empty() ? std::vector<std::string>{} : split(public_names_, ',');
    JsonRecords found = bind_json(read_stan_json(data_), request, names);
    auto facts = list_public_facts(request, found.binding);
    return {std::move(found.binding), std::move(facts), std::move(found.table)};
  }
  if (!public_names_.empty()) {
    throw UsageError(kContradiction, "--public-names goes only with Stan JSON as DATA.",
                     "A CSV file has nothing but records; give public values with --public.");
  }
  CsvReader csv(data_);
  request.header = csv.header();
  Binding binding = bind_columns(request);
  auto facts = list_public_facts(request, binding);
  RecordTable records = read_records(csv, binding);
  return {std::move(binding), std::move(facts), std::move(records)};
}

std::optional<double> FitCommand::rows(const Schema& schema) const {
  if (rows_) return static_cast<double>(whole_in("--rows", *rows_, 1, std::int64_t{1} << 40));
  if (schema.rows) return static_cast<double>(*schema.rows);
  return std::nullopt;
}

RecordModel build_model(const ModelInputs& inputs, const DataBlock& data, const Binding& binding) {
  StanModelOptions options;
  options.record_count = inputs.record_count;
  options.known = known_data(binding.public_data);
  options.facts = record_facts(binding);
  StanModel model = build_stan_model(inputs.program, data, stan_functions(), options);
  check_same_columns(model, binding);
  if (model.free_size == 0) {
    throw InputError(kNothingToFit, "the program has no parameters.", "There is nothing to fit.",
                     {inputs.file, 0, 0});
  }
  return RecordModel(std::move(model));
}

std::string FitCommand::dry_run(const ModelInputs& inputs, const DataBlock& data,
                                const PrivacyPlan& plan) const {
  const Binding binding = bind_columns(binding_request(inputs, data));
  const RecordModel model = build_model(inputs, data, binding);
  const MockStudy study = study_mock_records(model, binding);
  const double clip = settings().clip_bound.value_or(study.large_gradient_norm);
  return dry_run_output(model, plan, study, clip, rows(inputs.schema), json);
}

std::string FitCommand::run() {
  check_flags();
  const FitSettings chosen = settings();
  const int workers = threads();
  std::optional<PrivacyPlan> privacy;
  if (!non_private_) privacy = plan();
  const std::string started = utc_now();
  const ModelInputs inputs = read_model_inputs(model_);
  throw_if_errors(inputs.program.findings, inputs.program.source);
  Findings findings;
  const DataBlock data = describe_data_block(inputs.program.program, inputs.record_count, findings);
  throw_if_errors(findings, inputs.program.source);
  if (dry_run_ && privacy) return dry_run(inputs, data, *privacy);
  if (!out_.empty()) check_can_create(out_);

  const OpenedData opened = open_data(inputs, data);
  const RecordModel model = build_model(inputs, data, opened.binding);
  const RecordTable records = model.prepare(opened.records);
  Progress progress(privacy ? fmt::format("epsilon {:.4g}", privacy->epsilon) : "not private",
                    quiet);
  watch_for_interrupts();
  const FitProgress watch = [&](std::int64_t done, std::int64_t all) {
    progress.show(done, all);
    return !interrupted();
  };
  const std::uint64_t seed =
      seed_ ? static_cast<std::uint64_t>(whole_in("--seed", *seed_, 0, INT64_MAX)) : 1;
  FittedPosterior fitted;
  if (privacy) {
    const MockStudy study = study_mock_records(model, opened.binding);
    const double clip = chosen.clip_bound.value_or(study.large_gradient_norm);
    say(fit_preamble(model, *privacy, study, clip, rows(inputs.schema)));
    fitted = fit_privately(model, records, *privacy, chosen, study, {workers}, watch);
  } else {
    const GaussianPhase phase = unprotected_phase(records.record_count());
    fitted = fit_unprotected(model, records, phase, chosen, seed, {workers}, watch);
  }
  if (!fitted.completed) {
    throw Error(kInterrupted, "stopped; nothing was written.",
                privacy ? "The privacy budget of the whole plan counts as spent." : "");
  }

  FitResult result{
      .model_name = model_name(inputs.file),
      .model_text = inputs.text,
      .schema_text = inputs.schema_text,
      .started_at = started,
      .family = GaussianFamily(chosen.family, model.dimension()),
      .family_parameters = std::move(fitted.family_parameters),
      .unconstrained_names = {},
      .outputs = {},
      .at_location = {},
      .draws = {},
      .log_density = {},
      .privacy = privacy,
      .loop = fitted.loop,
      .public_facts = {},
      .dropped_quantities = {},
  };
  for (const PublicFact& fact : opened.public_facts) {
    result.public_facts.push_back(fmt::format("{} = {} ({})", fact.name, fact.value, fact.source));
  }
  for (const DroppedQuantity& dropped : model.stan().dropped) {
    result.dropped_quantities.push_back(fmt::format("{}: {}", dropped.name, dropped.reason));
  }
  add_draws(result, model, chosen.draws,
            privacy ? std::nullopt : std::optional<std::uint64_t>(seed));
  write_bundle(result, program_version(), out_);
  return fit_output(result, out_, json);
}

}  // namespace

std::unique_ptr<Command> make_fit_command() { return std::make_unique<FitCommand>(); }

}  // namespace dpvi::cli
