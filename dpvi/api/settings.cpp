#include <dpvi/api/settings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include <dpvi/api/fit_request.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/privacy/adjacency_names.hpp>

namespace dpvi {
namespace {

constexpr const char* kRequired = "required";
constexpr const char* kOff = "off";

// Returns the names of all choices: "a, b or c".
template <class Choices>
std::string one_of(const Choices& choices) {
  std::string text;
  for (auto choice = std::begin(choices); choice != std::end(choices); ++choice) {
    const bool last = std::next(choice) == std::end(choices);
    text += fmt::format("{}{}", text.empty() ? "" : last ? " or " : ", ", name_of(*choice));
  }
  return text;
}

// Writes 1e-06 as 1e-6.
std::string number(double value) {
  std::string text = fmt::format("{:g}", value);
  if (const std::size_t zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

std::string schedules_by_default() {
  return fmt::format("{} for {}, else {}", name_of(default_schedule(OptimizerKind::adam)),
                     name_of(OptimizerKind::adam), name_of(default_schedule(OptimizerKind::sgd)));
}

void add_privacy(std::vector<Setting>& table) {
  const PrivacyRequest privacy;
  const auto add = [&](const char* name, std::string by_default, std::string meaning) {
    table.push_back({name, std::move(by_default), std::move(meaning), SettingEffect::guarantee});
  };
  add("epsilon", kRequired, "bound on the privacy loss");
  add("delta", number(kDefaultDelta), "probability that the bound fails");
  add("adjacency", std::string(name_of(privacy.adjacency)),
      "neighbouring tables: " + one_of(kAdjacencies));
  add("steps", fmt::format("{}", kDefaultSteps), "number of steps");
  add("sampling-rate", number(kDefaultSamplingRate),
      "probability that a record takes part in a step");
  add("noise-multiplier", "from epsilon", "noise sd / clip bound; replaces epsilon");
  add("phase", "", "Q:S:T, sampling rate, noise multiplier and steps of a phase; repeatable");
  add("accountant", std::string(name_of(privacy.accountants.front())),
      one_of(kAccountants) + ", a list of these, or all; the first one decides");
  add("inspect-first", kOff, "stop if a column has no usable cell; the statement says so");
  add("non-private", kOff, "no protection; the result is stamped not private");
}

void add_accuracy(std::vector<Setting>& table) {
  const FitSettings fit;
  const FitRequest request;
  const UnprotectedFitRequest unprotected;
  const auto add = [&](const char* name, std::string by_default, std::string meaning) {
    table.push_back({name, std::move(by_default), std::move(meaning), SettingEffect::accuracy});
  };
  add("posterior", std::string(name_of(fit.posterior)),
      "how the posterior follows from the releases: " + one_of(kPosteriors));
  add("clip", std::string(name_of(fit.clip)), "rule for the clip bound: " + one_of(kClipModes));
  add("clip-centre", std::string(name_of(fit.clip_centre)),
      "point around which gradients are clipped: " + one_of(kClipCentres));
  add("clip-bound", "from mock records",
      "largest gradient norm of a record, the first one if adaptive; or one per phase, C,C,...");
  add("rows", "from the schema", "approximate number of rows; declared, never counted");
  add("family", std::string(name_of(fit.family)), "Gaussian family: " + one_of(kFamilies));
  add("rank", fmt::format("{}", fit.rank), "number of directions of a low-rank family");
  add("gradient", std::string(name_of(fit.gradient)),
      "gradient that is clipped: " + one_of(kGradientModes));
  add("init", request.init, "start: mock, prior, zero, a bundle or a Stan JSON file");
  add("initial-scale", number(fit.initial_scale),
      "standard deviations at the start, in working coordinates");
  add("optimizer", std::string(name_of(fit.optimizer)), one_of(kOptimizers));
  add("learning-rate", "from the optimizer", "step size; 1/sqrt(steps) for adam");
  add("schedule", schedules_by_default(), "of the step size: " + one_of(kSchedules));
  add("average", "tail",
      fmt::format("tail: mean of the last {:g} % of the iterates; none: the last iterate",
                  100.0 * fit.averaged_share));
  add("draws", fmt::format("{}", fit.draws), "number of draws from the posterior");
  add("seed", fmt::format("{}", unprotected.seed), "random seed; only with non-private");
  add("public-names", "", "variables of a Stan JSON file that are public, A,B,...");
}

void add_execution(std::vector<Setting>& table) {
  const auto add = [&](const char* name, std::string by_default, std::string meaning) {
    table.push_back({name, std::move(by_default), std::move(meaning), SettingEffect::execution});
  };
  add("threads", "all cores", "number of threads; never changes the result");
  add("profile", kOff, "print a time breakdown to stderr");
  add("dry-run", kOff, "plan and noise forecast; opens no private file");
}

std::vector<Setting> make_table() {
  std::vector<Setting> table;
  add_privacy(table);
  add_accuracy(table);
  add_execution(table);
  return table;
}

}  // namespace

std::span<const Setting> all_settings() {
  static const std::vector<Setting> kTable = make_table();
  return kTable;
}

const Setting& setting(std::string_view name) {
  const auto all = all_settings();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Setting& one) { return one.name == name; });
  if (found == all.end()) {
    throw InternalError(kInternal, fmt::format("there is no setting '{}'.", name), "report this");
  }
  return *found;
}

std::string help_of(const Setting& setting) {
  const std::string& by_default = setting.default_text;
  if (by_default.empty() || by_default == kOff || by_default == kRequired) return setting.meaning;
  return fmt::format("{} (default {})", setting.meaning, by_default);
}

}  // namespace dpvi
