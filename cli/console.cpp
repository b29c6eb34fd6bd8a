#include "console.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include <dpvi/base/open_file.hpp>
#include <dpvi/ledger/budget_refusal.hpp>

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
  nlohmann::ordered_json document = {{"ok", false}, {"findings", {finding}}};
  if (const auto* refusal = dynamic_cast<const BudgetRefusal*>(&error)) {
    const BudgetNumbers& numbers = refusal->numbers();
    document["asked"] = numbers.asked;
    document["spent"] = numbers.spent;
    document["left"] = numbers.left;
    document["largest_epsilon"] = numbers.largest_epsilon;
  }
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

void prepare_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  // open() returns the lowest free number. Writing to a stream that is opened here fails, as it
  // would have without it.
  int opened = 0;
  do {
    opened = ::open("/dev/null", O_RDONLY);
  } while (opened >= 0 && opened <= STDERR_FILENO);
  if (opened > STDERR_FILENO) ::close(opened);
}

std::string printable(std::string_view text) {
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
    const bool is_c1 = byte == 0xC2 && next >= 0x80 && next < 0xA0;  // in UTF-8
    if (is_c1) {
      safe += fmt::format("\\x{:02x}", next);
      ++i;
    } else if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) {
      safe += fmt::format("\\x{:02x}", byte);
    } else {
      safe += text[i];
    }
  }
  return safe;
}

void show_message(std::string_view text) { show_on_terminal(printable(text)); }

void show_on_terminal(std::string_view text) {
  static_cast<void>(write_fully(STDERR_FILENO, text));
}

void write_result(const std::string& result) {
  const std::string text = isatty(STDOUT_FILENO) == 1 ? printable(result) : result;
  if (!write_fully(STDOUT_FILENO, text)) {
    throw WriteError(kWriteFailed,
                     fmt::format("standard output could not be written: {}.", error_text(errno)),
                     "Check that the disk is not full and that the reading program still runs.");
  }
}

int report_failure(const Error& error, bool json) {
  std::string line = printable(error.what());
  if (error_output_has_colour() && line.starts_with("error[")) {
    line = "\x1b[1;31merror\x1b[0m" + line.substr(5);
  }
  show_on_terminal(line + "\n");
  if (json) {
    const std::string document = failure_document(error);
    static_cast<void>(write_fully(STDOUT_FILENO, document));
  }
  return exit_code(error.code().kind);
}

}  // namespace dpvi::cli
