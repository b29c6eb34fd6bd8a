#pragma once

#include <string>

#include <dpvi/base/error.hpp>

namespace dpvi::cli {

// Writes a result to standard output, all of it or a WriteError.
void write_result(const std::string& text);

// Tells standard error, and under --json standard output, what went wrong. Returns the exit code.
int report_failure(const Error& error, bool json);

}  // namespace dpvi::cli
