#include "fit_flags.hpp"

#include <dpvi/api/settings.hpp>
#include <dpvi/base/error.hpp>

#include "numbers.hpp"

namespace dpvi::cli {
namespace {

// Settings with a value. Those of PrivacyFlags and those without a value are declared elsewhere.
constexpr const char* kValues[] = {
    "posterior", "clip",     "clip-centre", "clip-bound",    "rows",         "family",
    "rank",      "gradient", "init",        "initial-scale", "optimizer",    "learning-rate",
    "schedule",  "average",  "draws",       "seed",          "public-names", "threads"};

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

std::vector<double> parse_clip_bounds(const std::string& text) {
  std::vector<double> bounds;
  for (const std::string& bound : split(text, ',')) {
    bounds.push_back(parse_positive("--clip-bound", bound));
  }
  return bounds;
}

double parse_average(const std::string& text) {
  if (text == "tail") return FitSettings{}.averaged_share;
  if (text == "none") return kLastIterateOnly;
  refuse_name("--average", text, {"tail", "none"});
}

// `travelled` is the former name of `distance`, still accepted for one release.
std::string current_schedule_name(const std::string& name) {
  return name == "travelled" ? "distance" : name;
}

}  // namespace

void FitFlags::declare(CLI::App& app) {
  privacy_.declare(app, PrivacyDefaults::of_a_fit);
  for (const char* name : kValues) {
    app.add_option(std::string("--") + name, texts_[name], help_of(setting(name)));
  }
  const auto add_switch = [&](const std::string& name, bool& value) {
    app.add_flag("--" + name, value, help_of(setting(name)));
  };
  add_switch("inspect-first", inspect_first_);
  add_switch("non-private", non_private_);
  add_switch("profile", profile_);
  add_switch("dry-run", dry_run_);
}

const std::string* FitFlags::given(const std::string& name) const {
  const std::optional<std::string>& text = texts_.at(name);
  return text ? &*text : nullptr;
}

int FitFlags::threads() const { return parse_threads(texts_.at("threads")); }

std::vector<std::string> FitFlags::public_names() const {
  const std::string* names = given("public-names");
  return names == nullptr ? std::vector<std::string>{} : name_list(*names);
}

InspectFirst FitFlags::inspect_first() const {
  return inspect_first_ ? InspectFirst::yes : InspectFirst::no;
}

FitSettings FitFlags::settings() const {
  FitSettings settings;
  if (const auto* text = given("family")) settings.family = chosen("--family", *text, kFamilies);
  if (const auto* text = given("gradient")) {
    settings.gradient = chosen("--gradient", *text, kGradientModes);
  }
  if (const auto* text = given("rank")) {
    settings.rank = static_cast<std::size_t>(parse_whole_in("--rank", *text, 1, kLargestRank));
    if (!description_of(settings.family).takes_rank) {
      throw UsageError(kContradiction, "--rank needs --family low-rank.",
                       "Leave it out, or choose that family.");
    }
  }
  if (const auto* text = given("clip")) settings.clip = chosen("--clip", *text, kClipModes);
  if (const auto* text = given("posterior")) {
    settings.posterior = chosen("--posterior", *text, kPosteriors);
  }
  if (const auto* text = given("clip-centre")) {
    settings.clip_centre = chosen("--clip-centre", *text, kClipCentres);
  }
  if (const auto* text = given("optimizer")) {
    settings.optimizer = chosen("--optimizer", *text, kOptimizers);
  }
  if (const auto* text = given("schedule")) {
    settings.schedule = chosen("--schedule", current_schedule_name(*text), kSchedules);
  }
  if (const auto* text = given("clip-bound")) settings.clip_bounds = parse_clip_bounds(*text);
  if (const auto* text = given("rows")) {
    settings.rows = static_cast<double>(parse_whole_in("--rows", *text, 1, kMostRows));
  }
  if (const auto* text = given("initial-scale")) {
    settings.initial_scale = parse_positive("--initial-scale", *text);
  }
  if (const auto* text = given("learning-rate")) {
    settings.learning_rate = parse_positive("--learning-rate", *text);
  }
  if (const auto* text = given("average")) settings.averaged_share = parse_average(*text);
  if (const auto* text = given("draws"))
    settings.draws = parse_whole_in("--draws", *text, 1, kMostDraws);
  return settings;
}

FitRequest FitFlags::request() const {
  FitRequest request{
      .privacy = privacy_.request(), .settings = settings(), .inspect_first = inspect_first()};
  if (const auto* text = given("init")) request.init = *text;
  return request;
}

UnprotectedFitRequest FitFlags::unprotected_request() const {
  const PrivacyRequest loop = privacy_.request();
  UnprotectedFitRequest request{.settings = settings(),
                                .inspect_first = inspect_first(),
                                .sampling_rate = loop.sampling_rate};
  if (const auto* text = given("init")) request.init = *text;
  if (loop.steps) request.steps = *loop.steps;
  if (given("seed") != nullptr) request.seed = parse_seed(texts_.at("seed"));
  return request;
}

void FitFlags::check() const {
  static_cast<void>(threads());  // refuses a bad value before a file is read
  if (given("seed") != nullptr && !non_private_) {
    throw UsageError(kContradiction, "--seed needs --non-private.",
                     "Noise that can be repeated protects nobody.");
  }
  if (!non_private_) return;
  if (dry_run_) {
    throw UsageError(kContradiction, "--dry-run plans a private fit; --non-private has no plan.",
                     "Leave out one of them.");
  }
  const PrivacyRequest request = privacy_.request();
  if (request.epsilon || request.noise_multiplier || request.delta || !request.phases.empty()) {
    throw UsageError(
        kContradiction, "--non-private has neither epsilon nor delta nor noise.",
        "Leave out --epsilon, --delta, --noise-multiplier and --phase, or --non-private.");
  }
}

std::vector<std::string> name_list(const std::string& names) {
  return names.empty() ? std::vector<std::string>{} : split(names, ',');
}

}  // namespace dpvi::cli
