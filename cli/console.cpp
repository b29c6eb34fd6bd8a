#include "console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "exit_codes.hpp"

namespace dpvi::cli {
namespace {

bool error_output_has_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == '\0') && isatty(STDERR_FILENO) == 1;
}

std::string failure_document(const Error& error) {
  nlohmann::ordered_json finding = {{"severity", "error"}, {"code", error.code().id}};
  if (!error.place().file.empty()) finding["file"] = error.place().file;
  if (error.place().line > 0) finding["line"] = error.place().line;
  if (error.place().column > 0) finding["column"] = error.place().column;
  finding["message"] = error.message() + (error.hint().empty() ? "" : " " + error.hint());
  const nlohmann::ordered_json document = {{"ok", false}, {"findings", {finding}}};
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

void write_result(const std::string& text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written != text.size() || std::fflush(stdout) != 0) {
    throw WriteError(kWriteFailed, "standard output could not be written.",
                     "Check that the disk is not full and that the reading program still runs.");
  }
}

int report_failure(const Error& error, bool json) {
  std::string line = error.what();
  if (error_output_has_colour() && line.starts_with("error[")) {
    line = "\x1b[1;31merror\x1b[0m" + line.substr(5);
  }
  fmt::print(stderr, "{}\n", line);
  if (json) {
    const std::string document = failure_document(error);
    std::fwrite(document.data(), 1, document.size(), stdout);
    std::fflush(stdout);
  }
  return exit_code(error.code().kind);
}

}  // namespace dpvi::cli
