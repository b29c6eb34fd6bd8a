#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "console.hpp"

namespace dpvi::cli {

Progress::Progress(const std::string& label, bool quiet, std::string what)
    : label_(label.empty() ? "" : ", " + label),
      what_(std::move(what)),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
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
  constexpr std::int64_t kWidth = 30;
  const auto filled = static_cast<std::size_t>(kWidth * done / all);
  show_on_terminal(fmt::format("\r[{:<30}] {} {} of {}, {:.0f} s left{} {}",
                               std::string(filled, '#'), what_, done, all, seconds_left, label_,
                               done == all ? "\n" : ""));
}

}  // namespace dpvi::cli
