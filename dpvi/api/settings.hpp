#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dpvi {

// What a setting of a fit can change.
enum class SettingEffect {
  guarantee,  // the privacy guarantee
  accuracy,   // the result and its accuracy, never the guarantee
  execution   // the time or the messages, never the result
};

// One setting of a fit. Its name is the flag of the command line without dashes and the key of a
// configuration file; with underscores it is the field of FitRequest, UnprotectedFitRequest or
// FitExecution, or the one that it fills in.
struct Setting {
  std::string name;
  std::string default_text;  // empty: none
  std::string meaning;       // a phrase, for help texts and documents
  SettingEffect effect;
};

// All settings, in the order in which documents list them. Their defaults are those of the structs.
std::span<const Setting> all_settings();

// Returns the setting of that name, which must exist.
const Setting& setting(std::string_view name);

// Returns the meaning and the default as one line of help.
std::string help_of(const Setting& setting);

}  // namespace dpvi
