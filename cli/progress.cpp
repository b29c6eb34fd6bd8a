#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "console.hpp"

namespace dpvi::cli {
namespace {

// A terminal that can go back to the beginning of a line.
bool error_output_can_redraw() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && (kind == nullptr || std::string_view(kind) != "dumb");
}

// Letters in a line of the terminal; 80 if it does not say.
std::size_t terminal_width() {
  struct winsize size = {};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

Progress::Progress(const std::string& label, bool quiet, std::string what)
    : label_(label.empty() ? "" : ", " + label),
      what_(std::move(what)),
      quiet_(quiet),
      terminal_(error_output_can_redraw()),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

void Progress::show(std::int64_t done, std::int64_t all) {
  if (quiet_) return;
  using Seconds = std::chrono::duration<double>;
  const auto now = std::chrono::steady_clock::now();
  const double passed = Seconds(now - start_).count();
  const double left = passed * static_cast<double>(all - done) / static_cast<double>(done);
  if (terminal_) {
    if (done < all && Seconds(now - last_).count() < 0.05) return;
    last_ = now;
    show_bar(done, all, left);
  } else if (10 * done / all > tenths_) {
    tenths_ = 10 * done / all;
    show_message(fmt::format("{} {} of {}{}\n", what_, done, all, label_));
  }
}

void Progress::show_bar(std::int64_t done, std::int64_t all, double seconds_left) {
  constexpr std::size_t kWidest = 30, kNarrowest = 5;
  const std::string words =
      fmt::format("{} {} of {}, {:.0f} s left{}", what_, done, all, seconds_left, label_);
  // A line that is wrapped cannot be drawn again: one column stays free, for the cursor.
  const std::size_t columns = terminal_width() - 1, frame = 3;
  std::string line = words.substr(0, columns);
  if (columns >= words.size() + frame + kNarrowest) {
    const std::size_t width = std::min(kWidest, columns - words.size() - frame);
    const auto share = static_cast<double>(done) / static_cast<double>(all);
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
    line = fmt::format("[{:<{}}] {}", std::string(filled, '#'), width, words);
  }
  const std::size_t end = line.size();
  line.resize(std::max(end, shown_), ' ');  // covers what was there
  shown_ = end;
  show_on_terminal("\r" + line + (done == all ? "\n" : ""));
}

}  // namespace dpvi::cli
