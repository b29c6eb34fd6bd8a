#pragma once

namespace dpvi::cli {

// From now on Ctrl-C and a polite kill only raise a flag, so that a run can stop between two steps.
void watch_for_interrupts();
bool interrupted();

// While one lives, they end the process at once, with code 130: for work that has nothing to clean
// up and does not look at the flag. One that came before ends it here.
class StopAtOnce {
 public:
  StopAtOnce();
  ~StopAtOnce();
  StopAtOnce(const StopAtOnce&) = delete;
  StopAtOnce& operator=(const StopAtOnce&) = delete;
};

}  // namespace dpvi::cli
