#include "privacy_flags.hpp"

#include <dpvi/api/settings.hpp>

namespace dpvi::cli {

void PrivacyFlags::declare(CLI::App& app, PrivacyDefaults defaults) {
  const auto add = [&](const std::string& name, auto& text) {
    const bool fit_only = name == "delta" || name == "steps" || name == "noise-multiplier";
    return app.add_option("--" + name, text,
                          fit_only && defaults == PrivacyDefaults::of_a_plan
                              ? setting(name).meaning
                              : help_of(setting(name)));
  };
  add("epsilon", epsilon_);
  add("delta", delta_);
  add("noise-multiplier", noise_multiplier_);
  add("steps", steps_);
  add("sampling-rate", sampling_rate_);
  add("adjacency", adjacency_);
  add("accountant", accountant_);
  add("phase", phases_)->take_all()->allow_extra_args(false);
}

void PrivacyFlags::add_to(SettingTexts& texts) const {
  const auto add = [&](const char* name, const std::optional<std::string>& text) {
    if (text) texts.values[name] = *text;
  };
  add("epsilon", epsilon_);
  add("delta", delta_);
  add("noise-multiplier", noise_multiplier_);
  add("steps", steps_);
  add("sampling-rate", sampling_rate_);
  add("adjacency", adjacency_);
  add("accountant", accountant_);
  texts.phases = phases_;
}

PrivacyRequest PrivacyFlags::request() const {
  SettingTexts texts;
  add_to(texts);
  return privacy_request(texts);
}

}  // namespace dpvi::cli
