#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <dpvi/base/error.hpp>

namespace dpvi::cli {

// Sets every option of `app` that is absent from the command line to the value of its key in a TOML
// file. Keys are flag names without leading dashes; an unknown key is an error.
void apply_config_file(CLI::App& app, const std::string& path);

// Settings of a fit under a name, by flag names without dashes.
struct NamedSettings {
  std::string name;
  std::map<std::string, std::string, std::less<>> values = {};
  std::vector<std::string> phases = {};
};

// Reads named settings from a TOML file: each table is one, under its name. Keys outside tables
// count for all of them; without a table they are the only settings, without a name. Keys must be
// in `names`.
std::vector<NamedSettings> read_settings_file(const std::string& path,
                                              const std::vector<std::string>& names);

// Sets flags by name, without dashes, as read from a file at `place`. An unknown flag is refused
// like an unknown key.
void set_flags(CLI::App& app, const std::vector<std::pair<std::string, std::string>>& flags,
               const SourcePlace& place);

}  // namespace dpvi::cli
