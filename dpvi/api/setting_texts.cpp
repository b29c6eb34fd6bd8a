#include <dpvi/api/setting_texts.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/api/number_texts.hpp>
#include <dpvi/api/settings.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>
#include <dpvi/privacy/adjacency_names.hpp>

namespace dpvi {
namespace {

// Returns the element of `choices` with that name.
template <class Choices>
auto chosen(const std::string& spelled, const std::string& text, const Choices& choices) {
  std::vector<std::string> names;
  for (const auto choice : choices) {
    if (text == name_of(choice)) return choice;
    names.emplace_back(name_of(choice));
  }
  refuse_name(spelled, text, names);
}

// Parses a number and checks a rule.
double checked(const std::string& spelled, const std::string& text, bool (*rule)(double),
               const char* rule_text) {
  const double value = parse_real(spelled, text);
  if (!rule(value)) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("{} is '{}'; it must be {}.", spelled, text, rule_text), "");
  }
  return value;
}

std::vector<Accountant> parse_accountants(const std::string& spelled, const std::string& text) {
  std::vector<Accountant> accountants(std::begin(kAccountants), std::end(kAccountants));
  if (text == "all") return accountants;
  std::vector<std::string> names;
  for (const Accountant accountant : kAccountants) names.emplace_back(name_of(accountant));
  accountants.clear();
  for (const std::string& word : split(text, ',')) {
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) {
      names.emplace_back("all");
      refuse_name(spelled, word, names);
    }
    const Accountant accountant = kAccountants[found - names.begin()];
    if (std::find(accountants.begin(), accountants.end(), accountant) != accountants.end()) {
      throw UsageError(kContradiction, fmt::format("{} names '{}' twice.", spelled, word), "");
    }
    accountants.push_back(accountant);
  }
  return accountants;
}

double parse_sampling_rate(const std::string& spelled, const std::string& text) {
  return checked(
      spelled, text, [](double q) { return q > 0.0 && q <= 1.0; }, "above 0 and at most 1");
}

std::int64_t parse_steps(const std::string& spelled, const std::string& text) {
  const std::int64_t steps = parse_whole(spelled, text);
  if (steps < 0 || steps > kMaxSteps) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("{} is '{}'; it must be a whole number from 0 to {}.", spelled,
                                 text, kMaxSteps),
                     "");
  }
  return steps;
}

GaussianPhase parse_phase(const std::string& spelled, const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() != 3) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("{} is '{}'; it must be Q:S:T, sampling rate, noise multiplier "
                                 "and steps.",
                                 spelled, text),
                     "For example .01:2:1000.");
  }
  return {parse_sampling_rate(spelled + " (Q)", parts[0]),
          parse_positive(spelled + " (S)", parts[1]), parse_steps(spelled + " (T)", parts[2])};
}

std::vector<double> parse_clip_bounds(const std::string& spelled, const std::string& text) {
  std::vector<double> bounds;
  for (const std::string& bound : split(text, ',')) {
    bounds.push_back(parse_positive(spelled, bound));
  }
  return bounds;
}

double parse_average(const std::string& spelled, const std::string& text) {
  if (text == "tail") return FitSettings{}.averaged_share;
  if (text == "none") return kLastIterateOnly;
  refuse_name(spelled, text, {"tail", "none"});
}

// `travelled` is the former name of `distance`, still accepted for one release.
std::string current_schedule_name(const std::string& name) {
  return name == "travelled" ? "distance" : name;
}

// Sets a field from the setting of that name if it is given.
template <class Field, class Parse>
void take(const SettingTexts& texts, const char* name, Field& field, const Parse& parse) {
  if (const std::string* text = texts.find(name)) field = parse(texts.spelled(name), *text);
}

// Sets a field to the choice that the setting names, if it is given.
template <class Field, class Choices>
void choose(const SettingTexts& texts, const char* name, Field& field, const Choices& choices) {
  if (const std::string* text = texts.find(name)) {
    field = chosen(texts.spelled(name), *text, choices);
  }
}

FitSettings fit_settings(const SettingTexts& texts) {
  FitSettings settings;
  choose(texts, "family", settings.family, kFamilies);
  choose(texts, "gradient", settings.gradient, kGradientModes);
  choose(texts, "clip", settings.clip, kClipModes);
  choose(texts, "posterior", settings.posterior, kPosteriors);
  choose(texts, "clip-centre", settings.clip_centre, kClipCentres);
  choose(texts, "optimizer", settings.optimizer, kOptimizers);
  take(texts, "rank", settings.rank, [](const auto& name, const auto& text) {
    return static_cast<std::size_t>(parse_whole_in(name, text, 1, kLargestRank));
  });
  take(texts, "schedule", settings.schedule, [](const auto& name, const auto& text) {
    return chosen(name, current_schedule_name(text), kSchedules);
  });
  take(texts, "clip-bound", settings.clip_bounds, parse_clip_bounds);
  take(texts, "rows", settings.rows, [](const auto& name, const auto& text) {
    return static_cast<double>(parse_whole_in(name, text, 1, kMostRows));
  });
  take(texts, "initial-scale", settings.initial_scale, parse_positive);
  take(texts, "learning-rate", settings.learning_rate, parse_positive);
  take(texts, "average", settings.averaged_share, parse_average);
  take(texts, "draws", settings.draws, [](const auto& name, const auto& text) {
    return parse_whole_in(name, text, 1, kMostDraws);
  });
  if (texts.find("rank") != nullptr && !description_of(settings.family).takes_rank) {
    throw UsageError(
        kContradiction,
        fmt::format("{} needs {} low-rank.", texts.spelled("rank"), texts.spelled("family")),
        "Leave it out, or choose that family.");
  }
  return settings;
}

InspectFirst inspect_first(const SettingTexts& texts) {
  return texts.is_on("inspect-first") ? InspectFirst::yes : InspectFirst::no;
}

void refuse_protection(const SettingTexts& texts) {
  const PrivacyRequest request = privacy_request(texts);
  if (!request.epsilon && !request.noise_multiplier && !request.delta && request.phases.empty()) {
    return;
  }
  throw UsageError(
      kContradiction,
      fmt::format("{} has neither epsilon nor delta nor noise.", texts.spelled("non-private")),
      fmt::format("Leave out {}, {}, {} and {}, or {}.", texts.spelled("epsilon"),
                  texts.spelled("delta"), texts.spelled("noise-multiplier"), texts.spelled("phase"),
                  texts.spelled("non-private")));
}

}  // namespace

const std::string* SettingTexts::find(std::string_view name) const {
  const auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}

bool SettingTexts::is_on(std::string_view name) const {
  const std::string* text = find(name);
  return text != nullptr && *text == "true";
}

std::string SettingTexts::spelled(std::string_view name) const {
  if (spelling == Spelling::flags) return "--" + std::string(name);
  std::string made(name);
  std::replace(made.begin(), made.end(), '-', '_');
  return made;
}

void refuse_unknown_settings(const SettingTexts& texts) {
  std::vector<std::string> names;
  for (const Setting& known : all_settings()) names.push_back(known.name);
  for (const auto& [name, text] : texts.values) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const auto near = nearest_name(name, names);
    throw UsageError(kUnknownFlag, fmt::format("unknown setting '{}'.", texts.spelled(name)),
                     near ? fmt::format("Did you mean '{}'?", texts.spelled(*near))
                          : std::string("The guide lists all settings."));
  }
}

void refuse_contradictions(const SettingTexts& texts) {
  static_cast<void>(thread_count(texts));  // refuses a bad value before a file is read
  const bool non_private = texts.is_on("non-private");
  if (texts.find("seed") != nullptr && !non_private) {
    throw UsageError(
        kContradiction,
        fmt::format("{} needs {}.", texts.spelled("seed"), texts.spelled("non-private")),
        "Noise that can be repeated protects nobody.");
  }
  if (!non_private) return;
  if (texts.is_on("dry-run")) {
    throw UsageError(kContradiction,
                     fmt::format("{} plans a private fit; {} has no plan.",
                                 texts.spelled("dry-run"), texts.spelled("non-private")),
                     "Leave out one of them.");
  }
  refuse_protection(texts);
}

PrivacyRequest privacy_request(const SettingTexts& texts) {
  PrivacyRequest request;
  take(texts, "epsilon", request.epsilon, parse_positive);
  take(texts, "delta", request.delta, [](const auto& name, const auto& text) {
    return checked(
        name, text, [](double d) { return d > 0.0 && d < 1.0; }, "above 0 and below 1");
  });
  take(texts, "noise-multiplier", request.noise_multiplier, parse_positive);
  take(texts, "steps", request.steps, parse_steps);
  take(texts, "sampling-rate", request.sampling_rate, parse_sampling_rate);
  take(texts, "adjacency", request.adjacency, adjacency_setting);
  take(texts, "accountant", request.accountants, parse_accountants);
  for (const std::string& text : texts.phases) {
    request.phases.push_back(parse_phase(texts.spelled("phase"), text));
  }
  return request;
}

FitRequest fit_request(const SettingTexts& texts) {
  FitRequest request{.privacy = privacy_request(texts),
                     .settings = fit_settings(texts),
                     .inspect_first = inspect_first(texts)};
  if (const std::string* text = texts.find("init")) request.init = *text;
  return request;
}

UnprotectedFitRequest unprotected_fit_request(const SettingTexts& texts) {
  const PrivacyRequest loop = privacy_request(texts);
  UnprotectedFitRequest request{.settings = fit_settings(texts),
                                .inspect_first = inspect_first(texts),
                                .sampling_rate = loop.sampling_rate};
  if (const std::string* text = texts.find("init")) request.init = *text;
  if (loop.steps) request.steps = *loop.steps;
  if (texts.find("seed") != nullptr) request.seed = random_seed(texts);
  return request;
}

Adjacency adjacency_setting(const std::string& spelled_name, const std::string& text) {
  return chosen(spelled_name, text, kAdjacencies);
}

int thread_count(const SettingTexts& texts) {
  constexpr std::int64_t kMostThreads = 1024;
  const std::string* text = texts.find("threads");
  if (text == nullptr) return all_cores();
  return static_cast<int>(parse_whole_in(texts.spelled("threads"), *text, 1, kMostThreads));
}

std::uint64_t random_seed(const SettingTexts& texts) {
  const std::string* text = texts.find("seed");
  if (text == nullptr) return 1;
  return static_cast<std::uint64_t>(parse_whole_in(texts.spelled("seed"), *text, 0, INT64_MAX));
}

void refuse_name(const std::string& spelled_name, const std::string& text,
                 const std::vector<std::string>& names) {
  const auto near = nearest_name(text, names);
  throw UsageError(
      kValueOutsideRule,
      fmt::format("{} is '{}'; it must be one of {}.", spelled_name, text, fmt::join(names, ", ")),
      near ? fmt::format("Did you mean '{}'?", *near) : "");
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  if (text.empty() || text.back() == separator) parts.emplace_back();
  return parts;
}

}  // namespace dpvi
