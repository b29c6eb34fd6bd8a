#pragma once

namespace dpvi::cli {

// From now on Ctrl-C and a polite kill only raise a flag, so that a run can stop between two steps.
void watch_for_interrupts();
bool interrupted();

}  // namespace dpvi::cli
