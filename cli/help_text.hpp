#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace dpvi::cli {

// Names the kinds of values in the help of a verb: NUMBER, FILE, FOLDER, NAME.
void name_value_kinds(CLI::App& verb);

// Keeps the help of a verb with many flags to one screen: rare flags are shown by --help-all only.
void shorten_help(CLI::App& verb);

enum class HelpPart { usual, all };

// The help text of the program or of the verb that was parsed: 80 columns, no double blank lines.
std::string help_of(const CLI::App& app, HelpPart part);

}  // namespace dpvi::cli
