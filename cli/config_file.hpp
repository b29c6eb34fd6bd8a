#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include <dpvi/base/error.hpp>

namespace dpvi::cli {

// Sets every option of `app` that is absent from the command line to the value of its key in a TOML
// file. Keys are flag names without leading dashes; an unknown key is an error.
void apply_config_file(CLI::App& app, const std::string& path);

// Sets flags by name, without dashes, as read from a file at `place`. An unknown flag is refused
// like an unknown key.
void set_flags(CLI::App& app, const std::vector<std::pair<std::string, std::string>>& flags,
               const SourcePlace& place);

}  // namespace dpvi::cli
