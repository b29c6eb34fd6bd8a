#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/prepare/prior_draw.hpp>
#include <dpvi/fit/train/fit_draws.hpp>
#include <dpvi/fit/train/unprotected_fit.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/report/atomic_folder.hpp>
#include <dpvi/report/bundle_writer.hpp>
#include <dpvi/report/posterior_netcdf.hpp>

#include "clock.hpp"
#include "command.hpp"
#include "fit_data.hpp"
#include "fit_flags.hpp"
#include "fit_output.hpp"
#include "init_flag.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "version.hpp"

namespace dpvi::cli {
namespace {

void throw_if_stopped(const FittedPosterior& fitted, bool is_private) {
  if (fitted.completed) return;
  throw Error(kInterrupted, "stopped; nothing was written.",
              is_private ? "The privacy budget of the whole plan counts as spent." : "");
}

FitResult result_of(const Program& program, const BoundModel& bound, const FitSettings& settings,
                    FittedPosterior fitted) {
  FitResult result{
      .model_name = model_name(program.inputs.file),
      .model_text = program.inputs.text,
      .schema_text = program.inputs.schema_text,
      .started_at = {},
      .family = settings.family_of(bound.model.dimension()),
      .family_parameters = std::move(fitted.family_parameters),
      .unconstrained_names = {},
      .outputs = {},
      .at_location = {},
      .draws = {},
      .log_density = {},
      .privacy = std::move(fitted.privacy),
      .loop = fitted.loop,
      .trace = std::move(fitted.trace),
      .public_facts = {},
      .dropped_quantities = {},
      .unit = std::nullopt,
      .inspected_first = false,
      .inputs = public_inputs(program.inputs, bound.binding),
  };
  if (const auto& unit = bound.binding.unit) result.unit = {unit->name, unit->max_rows};
  for (const PublicFact& fact : bound.public_facts) {
    result.public_facts.push_back(fmt::format("{} = {} ({})", fact.name, fact.value, fact.source));
  }
  for (const DroppedQuantity& dropped : bound.model.stan().dropped) {
    result.dropped_quantities.push_back(fmt::format("{}: {}", dropped.name, dropped.reason));
  }
  return result;
}

// Returns starting points for a mixture model, or an empty list for other programs. Mixture
// components that start equal stay equal, and most starts lead to a mode that is not the highest.
std::vector<std::vector<double>> climbs_of_mixture(const BoundModel& bound) {
  constexpr std::size_t kPriorDraws = 3;
  const MockStudy study = study_mock_records(bound.model, bound.binding, kUndeclaredRows);
  if (!study.components_separated) return {};
  SeededStream stream = SeededGenerator(1).stream({.label = StreamLabel::initial_value, .step = 2});
  auto mode_starts =
      draws_from_prior(bound.model.prior(), bound.model.dimension(), kPriorDraws, stream);
  mode_starts.push_back(study.start);
  mode_starts.emplace_back(bound.model.dimension(), 0.0);
  return mode_starts;
}

class FitCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Fits a Stan program to private records; writes a bundle that may be published.");
    model_.declare(app);
    app.add_option("DATA", data_, "records: CSV (also .gz, .zst) or Stan JSON")->required();
    app.add_option("--out", out_, "folder to write the bundle to");
    app.add_flag("--inspect-first", inspect_first_,
                 "stop if a column has no usable cell; the statement says so");
    flags_.declare(app);
    declare_common(app);
    app.footer("Example:\n  dpvi fit model.stan records.csv --epsilon 1 --out result");
  }

  std::string run() override {
    flags_.check();
    if (flags_.dry_run()) return dry_run();
    if (out_.empty()) {
      throw UsageError(kContradiction, "--out is missing.", "Name the folder for the bundle.");
    }
    return flags_.non_private() ? fit_without_protection() : fit_with_protection();
  }

 private:
  std::string dry_run() const;
  std::string fit_with_protection() const;
  std::string fit_without_protection() const;
  void prepare_to_read() const;
  InspectFirst inspect_first() const {
    return inspect_first_ ? InspectFirst::yes : InspectFirst::no;
  }
  void remind_of_inspect() const;
  FitProgress watch(const std::string& label) const;
  std::string write(FitResult result, const Program& program, const BoundModel& bound,
                    std::int64_t draws, std::optional<std::uint64_t> seed) const;

  ModelFlags model_;
  FitFlags flags_;
  std::string data_, out_;
  bool inspect_first_ = false;
};

std::string FitCommand::dry_run() const {
  const PrivacyPlan privacy = flags_.plan();
  const Program program = read_program(model_);
  FitSettings settings = flags_.settings(program.inputs.schema);
  const BoundModel bound = bind_without_table(program.inputs, program.data);
  settings.initial = read_init_flag(flags_.init(), bound.model, true).values;
  const MockStudy study =
      study_mock_records(bound.model, bound.binding, settings.rows.value_or(kUndeclaredRows));
  const PrivateFitPlan plan =
      plan_private_fit(bound.model, bound.binding, privacy, settings, study);
  return dry_run_output({bound.model, plan, study, settings, bound.binding}, json);
}

// Checks that the output folder can be created before any part of the table is read.
void FitCommand::prepare_to_read() const {
  watch_for_interrupts();
  check_can_create(out_);
  require_netcdf();
}

// The message is the same for every table.
void FitCommand::remind_of_inspect() const {
  if (quiet) return;
  fmt::print(stderr,
             "Nothing is told here of what cells hold; 'dpvi inspect' tells the curator how many "
             "are used.\n");
}

FitProgress FitCommand::watch(const std::string& label) const {
  return
      [progress = std::make_shared<Progress>(label, quiet)](std::int64_t done, std::int64_t all) {
        progress->show(done, all);
        return !interrupted();
      };
}

std::string FitCommand::fit_with_protection() const {
  const PrivacyPlan privacy = flags_.plan();
  const FitSpeed speed = flags_.speed();
  const std::string started = utc_now();
  const Program program = read_program(model_);
  FitSettings settings = flags_.settings(program.inputs.schema);
  prepare_to_read();
  std::optional<StopAtOnce> reading(std::in_place);
  auto [bound, file] = bind_to_file(program.inputs, program.data, data_, flags_.public_names());
  const InitialChoice start = read_init_flag(flags_.init(), bound.model, true);
  settings.initial = start.values;
  const MockStudy study =
      study_mock_records(bound.model, bound.binding, settings.rows.value_or(kUndeclaredRows));
  const PrivateFitPlan plan =
      plan_private_fit(bound.model, bound.binding, privacy, settings, study);
  PrivateRecords records = open_records(plan, std::move(file), inspect_first());
  reading.reset();
  if (!quiet) {
    fmt::print(stderr, "{}", fit_preamble({bound.model, plan, study, settings, bound.binding}));
  }
  remind_of_inspect();
  FittedPosterior fitted = fit_privately(
      std::move(records), speed, watch(fmt::format("epsilon {:.4g}", plan.privacy().epsilon)));
  throw_if_stopped(fitted, true);
  if (speed.profile) fmt::print(stderr, "{}", profile_text(fitted.times));
  FitResult result = result_of(program, bound, settings, std::move(fitted));
  for (const std::string& fact : start.public_facts) result.public_facts.push_back(fact);
  result.started_at = started;
  return write(std::move(result), program, bound, settings.draws, std::nullopt);
}

std::string FitCommand::fit_without_protection() const {
  const FitSpeed speed = flags_.speed();
  const std::uint64_t seed = flags_.seed();
  const std::string started = utc_now();
  const Program program = read_program(model_);
  FitSettings settings = flags_.settings(program.inputs.schema);
  prepare_to_read();
  std::optional<StopAtOnce> reading(std::in_place);
  auto [bound, file] = bind_to_file(program.inputs, program.data, data_, flags_.public_names());
  settings.initial = read_init_flag(flags_.init(), bound.model, false).values;
  if (!settings.initial) settings.mode_starts = climbs_of_mixture(bound);
  const UnprotectedRecords records =
      open_unprotected_records(bound.model, std::move(file), inspect_first());
  reading.reset();
  const GaussianPhase phase = flags_.unprotected_phase(records.record_count());
  remind_of_inspect();
  FittedPosterior fitted =
      fit_unprotected(bound.model, records, {phase, seed}, settings, speed, watch("not private"));
  throw_if_stopped(fitted, false);
  if (speed.profile) fmt::print(stderr, "{}", profile_text(fitted.times));
  FitResult result = result_of(program, bound, settings, std::move(fitted));
  result.started_at = started;
  return write(std::move(result), program, bound, settings.draws, seed);
}

std::string FitCommand::write(FitResult result, const Program& program, const BoundModel& bound,
                              std::int64_t draws, std::optional<std::uint64_t> seed) const {
  result.inspected_first = inspect_first_;
  const StanModelOptions options = model_options(program.inputs, bound.binding);
  std::optional<GeneratedDraws> generated;
  if (!bound.model.stan().drawn.empty()) {
    generated.emplace(program.inputs.program, program.data, stan_functions(), options);
  }
  add_draws(result, bound.model, generated ? &*generated : nullptr, draws, seed);
  write_bundle(result, program_version(), out_);
  return fit_output(result, out_, json);
}

}  // namespace

std::unique_ptr<Command> make_fit_command() { return std::make_unique<FitCommand>(); }

}  // namespace dpvi::cli
