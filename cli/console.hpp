#pragma once

#include <string>

#include <dpvi/base/error.hpp>

namespace dpvi::cli {

// Writes the whole text to standard output or throws WriteError.
void write_result(const std::string& text);

// Reports an error on stderr and, with --json, on standard output. Returns the exit code.
int report_failure(const Error& error, bool json);

}  // namespace dpvi::cli
