#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace dpvi::cli {

// Names the kind of value that each flag and argument of a verb takes, for its help.
void name_value_kinds(CLI::App& verb);

// The help of the program or of the verb that was chosen. It fits on a screen.
std::string help_of(const CLI::App& app);

}  // namespace dpvi::cli
