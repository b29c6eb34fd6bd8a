#include "interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "exit_codes.hpp"

namespace dpvi::cli {
namespace {

volatile std::sig_atomic_t raised = 0;
volatile std::sig_atomic_t at_once = 0;

// Calls async-signal-safe functions only.
[[noreturn]] void stop_now() {
  constexpr std::string_view kMessage = "error[DP501] stopped; nothing was written.\n";
  [[maybe_unused]] const ::ssize_t written =
      ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  ::_exit(exit_code(ErrorKind::interrupted));
}

void handle(int) {
  raised = 1;
  if (at_once != 0) stop_now();
}

}  // namespace

void watch_for_interrupts() {
  struct sigaction action = {};
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction present = {};
    sigaction(number, nullptr, &present);
    if (present.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
}

bool interrupted() { return raised != 0; }

StopAtOnce::StopAtOnce() {
  at_once = 1;
  if (interrupted()) stop_now();
}

StopAtOnce::~StopAtOnce() { at_once = 0; }

}  // namespace dpvi::cli
