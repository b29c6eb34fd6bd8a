#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/api/fit_request.hpp>
#include <dpvi/fit/plan/privacy_plan.hpp>
#include <dpvi/privacy/adjacency.hpp>

namespace dpvi {

// Settings as texts, by the names of settings.hpp: how a person or another language gives them. A
// switch that is on has the text "true".
struct SettingTexts {
  // How messages spell a name: --noise-multiplier or noise_multiplier.
  enum class Spelling { flags, arguments };

  std::map<std::string, std::string, std::less<>> values = {};
  std::vector<std::string> phases = {};  // Q:S:T each
  Spelling spelling = Spelling::flags;

  // nullptr if not given.
  const std::string* find(std::string_view name) const;
  bool is_on(std::string_view name) const;
  std::string spelled(std::string_view name) const;
};

// Throws a UsageError DP101 with the nearest name unless every name is a setting.
void refuse_unknown_settings(const SettingTexts& texts);

// Throws a UsageError if settings contradict each other, such as a seed for a private fit.
void refuse_contradictions(const SettingTexts& texts);

// Parse and validate the given values. Fill in no defaults of the privacy request.
PrivacyRequest privacy_request(const SettingTexts& texts);
FitRequest fit_request(const SettingTexts& texts);
UnprotectedFitRequest unprotected_fit_request(const SettingTexts& texts);

Adjacency adjacency_setting(const std::string& spelled_name, const std::string& text);
int thread_count(const SettingTexts& texts);           // default: all cores
std::uint64_t random_seed(const SettingTexts& texts);  // default: 1

// Refuses `text` because it is none of `names`. The message suggests the nearest name.
[[noreturn]] void refuse_name(const std::string& spelled_name, const std::string& text,
                              const std::vector<std::string>& names);

// Returns the parts between separators. An empty text yields one empty part.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace dpvi
