#include "fit_flags.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <dpvi/base/error.hpp>

#include "numbers.hpp"

namespace dpvi::cli {
namespace {

constexpr std::int64_t kDefaultSteps = 1000;
constexpr double kDefaultDelta = 1e-6;
// Expected batch size of an unprotected fit. Smaller tables use all records in every step.
constexpr double kUnprotectedBatch = 20000.0;
constexpr std::int64_t kUnprotectedSteps = 3000;
// A fraction so small that only the last iterate is averaged.
constexpr double kNoAveraging = 1e-12;

double parse_clip_bound(const std::string& text) {
  const double bound = parse_positive("--clip-bound", text);
  if (bound >= kSmallestClipBound && bound <= kLargestClipBound) return bound;
  throw UsageError(kValueOutsideRule,
                   fmt::format("--clip-bound is '{}'; it must be from {} to {}.", text,
                               kSmallestClipBound, kLargestClipBound),
                   "Choose a bound near the norm of a typical record's gradient.");
}

// Parses one bound for the whole run or one bound for each phase.
std::vector<double> parse_clip_bounds(const std::string& text, std::size_t phases) {
  std::vector<double> bounds;
  for (const std::string& bound : split(text, ',')) bounds.push_back(parse_clip_bound(bound));
  if (bounds.size() == 1 || bounds.size() == phases) return bounds;
  throw UsageError(kContradiction,
                   fmt::format("--clip-bound gives {} bounds for {} phases; it must be one for all "
                               "of them or one for each.",
                               bounds.size(), std::max<std::size_t>(1, phases)),
                   "Say each phase by --phase Q:S:T.");
}

// Returns the element of `choices` with that name.
template <class Choices>
auto chosen(const std::string& flag, const std::string& name, const Choices& choices) {
  std::vector<std::string> names;
  for (const auto choice : choices) {
    if (name == name_of(choice)) return choice;
    names.emplace_back(name_of(choice));
  }
  refuse_name(flag, name, names);
}

// `travelled` is the former name of `distance`, still accepted for one release.
std::string current_schedule_name(const std::string& name) {
  return name == "travelled" ? "distance" : name;
}

}  // namespace

void FitFlags::declare(CLI::App& app) {
  privacy_.declare(app);
  app.add_option("--clip", clip_, "adaptive (default), fixed or normalised");
  app.add_option("--clip-bound", clip_bound_,
                 "(first) largest gradient norm of a record; or one for each phase, C,C,...");
  app.add_option("--family", family_, "mean-field (default), low-rank or full-rank");
  app.add_option("--rank", rank_, "columns of a low-rank family (default 5)");
  app.add_option("--gradient", gradient_, "clipped: aligned (default) or joint, as in the paper");
  app.add_option("--init", init_, "mock (default), prior, zero, a bundle or a Stan JSON file");
  app.add_option("--initial-scale", initial_scale_, "standard deviations at the start (.02)");
  app.add_option("--optimizer", optimizer_, "adam (default), adagrad, adagrad-window or sgd");
  app.add_option("--learning-rate", learning_rate_, "step size (adam: 1/sqrt(steps))");
  app.add_option("--schedule", schedule_,
                 "distance (default of adam), constant, decay, warm-up, cosine, harmonic");
  app.add_option("--average", average_, "tail (default): mean of the last iterates; or none");
  app.add_option("--draws", draws_, "draws from the posterior (default 1000)");
  app.add_option("--rows", rows_, "declared table size, for defaults and the noise forecast");
  app.add_option("--threads", threads_, "threads (default: all cores); never changes the result");
  app.add_option("--public-names", public_names_, "variables of a JSON file that are public");
  app.add_flag("--non-private", non_private_, "no protection; the result is stamped so");
  app.add_option("--seed", seed_, "only with --non-private");
  app.add_flag("--profile", profile_, "tell on standard error what the time went to");
  app.add_flag("--dry-run", dry_run_, "plan and noise forecast; opens no private file");
}

FitSpeed FitFlags::speed() const { return {parse_threads(threads_), profile_}; }

std::uint64_t FitFlags::seed() const { return parse_seed(seed_); }

FitSettings FitFlags::settings(const Schema& schema) const {
  FitSettings settings;
  settings.family = chosen("--family", family_, kFamilies);
  settings.gradient = chosen("--gradient", gradient_, kGradientModes);
  if (rank_) {
    settings.rank = static_cast<std::size_t>(parse_whole_in("--rank", *rank_, 1, 1000));
    if (!description_of(settings.family).takes_rank) {
      throw UsageError(kContradiction, "--rank goes only with --family low-rank.",
                       "Leave it out, or choose that family.");
    }
  }
  settings.clip = chosen("--clip", clip_, kClipModes);
  settings.optimizer = chosen("--optimizer", optimizer_, kOptimizers);
  if (schedule_)
    settings.schedule = chosen("--schedule", current_schedule_name(*schedule_), kSchedules);
  if (clip_bound_) {
    settings.clip_bounds = parse_clip_bounds(*clip_bound_, privacy_.request().phases.size());
  }
  if (schema.rows) settings.rows = static_cast<double>(*schema.rows);
  if (rows_) {
    settings.rows = static_cast<double>(parse_whole_in("--rows", *rows_, 1, std::int64_t{1} << 40));
  }
  if (initial_scale_) {
    settings.initial_scale = parse_positive("--initial-scale", *initial_scale_);
  }
  if (learning_rate_) {
    settings.learning_rate = parse_positive("--learning-rate", *learning_rate_);
  }
  if (average_ == "none") {
    settings.averaged_share = kNoAveraging;
  } else if (average_ != "tail") {
    refuse_name("--average", average_, {"tail", "none"});
  }
  if (draws_) settings.draws = parse_whole_in("--draws", *draws_, 1, 1000000);
  return settings;
}

PrivacyPlan FitFlags::plan() const {
  PrivacyPlanRequest request = privacy_.request();
  if (!request.epsilon && !request.noise_multiplier && request.phases.empty()) {
    throw UsageError(kContradiction, "--epsilon is missing.",
                     "Say how private the result must be, for example --epsilon 1.");
  }
  if (request.epsilon && request.noise_multiplier) {
    throw UsageError(kContradiction, "--epsilon and --noise-multiplier contradict each other.",
                     "Give one; the other is computed.");
  }
  if (!request.delta) request.delta = kDefaultDelta;
  if (!request.steps && request.phases.empty()) request.steps = kDefaultSteps;
  return make_privacy_plan(request);
}

GaussianPhase FitFlags::unprotected_phase(std::uint64_t records) const {
  const PrivacyPlanRequest request = privacy_.request();
  const double whole =
      std::min(1.0, kUnprotectedBatch / std::max(1.0, static_cast<double>(records)));
  return {request.sampling_rate.value_or(whole), 1.0, request.steps.value_or(kUnprotectedSteps)};
}

void FitFlags::check() const {
  if (seed_ && !non_private_) {
    throw UsageError(kContradiction, "--seed goes only with --non-private.",
                     "Noise that can be repeated protects nobody.");
  }
  if (!non_private_) return;
  if (dry_run_) {
    throw UsageError(kContradiction, "--dry-run plans a private fit; --non-private has no plan.",
                     "Leave out one of them.");
  }
  const PrivacyPlanRequest request = privacy_.request();
  if (request.epsilon || request.noise_multiplier || request.delta || !request.phases.empty()) {
    throw UsageError(
        kContradiction, "--non-private has neither epsilon nor delta nor noise.",
        "Leave out --epsilon, --delta, --noise-multiplier and --phase, or --non-private.");
  }
}

}  // namespace dpvi::cli
