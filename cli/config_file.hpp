#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace dpvi::cli {

// Gives every option of `app` that the command line left alone the value of its key in a TOML
// file. Keys are the flags' names without dashes in front; an unknown key is an error.
void apply_config_file(CLI::App& app, const std::string& path);

}  // namespace dpvi::cli
