#pragma once

#include <string>
#include <string_view>

#include <dpvi/base/error.hpp>

namespace dpvi::cli {

// Makes sure that no file gets the number of a standard stream that was closed, and that a reader
// that goes away does not end the process. Call it first.
void prepare_streams();

// The text with control characters, other than line ends and tabs, replaced by their escapes. Text
// from files never controls a terminal.
std::string printable(std::string_view text);

// Writes a message to stderr. A message can never end a run: if stderr is closed, full or fails, it
// is lost.
void show_message(std::string_view text);

// The same without escapes, for output of our own that moves the cursor.
void show_on_terminal(std::string_view text);

// Writes the whole text to standard output or throws WriteError.
void write_result(const std::string& result);

// Reports an error on stderr and, with --json, on standard output. Returns the exit code.
int report_failure(const Error& error, bool json);

}  // namespace dpvi::cli
