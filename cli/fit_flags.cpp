#include "fit_flags.hpp"

#include <dpvi/api/settings.hpp>

namespace dpvi::cli {
namespace {

// Settings with a value. Those of PrivacyFlags and those without a value are declared elsewhere.
constexpr const char* kValues[] = {
    "posterior", "clip",     "clip-centre", "clip-bound",    "rows",         "family",
    "rank",      "gradient", "init",        "initial-scale", "optimizer",    "learning-rate",
    "schedule",  "average",  "draws",       "seed",          "public-names", "threads"};

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

SettingTexts FitFlags::texts() const {
  SettingTexts texts;
  privacy_.add_to(texts);
  for (const auto& [name, text] : texts_) {
    if (text) texts.values[name] = *text;
  }
  const auto add_switch = [&](const char* name, bool on) {
    if (on) texts.values[name] = "true";
  };
  add_switch("inspect-first", inspect_first_);
  add_switch("non-private", non_private_);
  add_switch("dry-run", dry_run_);
  return texts;
}

int FitFlags::threads() const { return thread_count(texts()); }

std::vector<std::string> FitFlags::public_names() const {
  const std::optional<std::string>& names = texts_.at("public-names");
  return names ? name_list(*names) : std::vector<std::string>{};
}

FitRequest FitFlags::request() const { return fit_request(texts()); }

UnprotectedFitRequest FitFlags::unprotected_request() const {
  return unprotected_fit_request(texts());
}

void FitFlags::check() const { refuse_contradictions(texts()); }

std::vector<std::string> name_list(const std::string& names) {
  return names.empty() ? std::vector<std::string>{} : split(names, ',');
}

}  // namespace dpvi::cli
