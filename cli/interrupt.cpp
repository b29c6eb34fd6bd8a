#include "interrupt.hpp"

#include <csignal>

namespace dpvi::cli {
namespace {

volatile std::sig_atomic_t raised = 0;

void raise_flag(int) { raised = 1; }

}  // namespace

void watch_for_interrupts() {
  struct sigaction action = {};
  action.sa_handler = raise_flag;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return raised != 0; }

}  // namespace dpvi::cli
