#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include <dpvi/base/error.hpp>

namespace dpvi::cli {

// Gives every option of `app` that the command line left alone the value of its key in a TOML
// file. Keys are the flags' names without dashes in front; an unknown key is an error.
void apply_config_file(CLI::App& app, const std::string& path);

// Flags by name, without dashes, as a file at `place` gives them; one that does not exist is
// refused like an unknown key.
void set_flags(CLI::App& app, const std::vector<std::pair<std::string, std::string>>& flags,
               const SourcePlace& place);

}  // namespace dpvi::cli
