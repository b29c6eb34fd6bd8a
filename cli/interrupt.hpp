#pragma once

namespace dpvi::cli {

// After this call SIGINT, SIGTERM, SIGHUP and SIGQUIT only set a flag, so that a run can stop
// between two steps. A signal that the parent process has chosen to ignore stays ignored.
void watch_for_interrupts();
bool interrupted();

// While an object of this class exists, these signals end the process immediately with code
// 130. It is meant for work that needs no cleanup and does not poll the flag. The constructor ends
// the process if a signal has already arrived.
class StopAtOnce {
 public:
  StopAtOnce();
  ~StopAtOnce();
  StopAtOnce(const StopAtOnce&) = delete;
  StopAtOnce& operator=(const StopAtOnce&) = delete;
};

}  // namespace dpvi::cli
