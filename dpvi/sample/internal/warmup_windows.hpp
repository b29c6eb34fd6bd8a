#pragma once

namespace dpvi {

// The plan of a warm-up, as Stan has it: a first part that only finds the step size, windows of
// doubling length that each end with a new metric, and a last part for the step size alone.
class WarmupWindows {
 public:
  explicit WarmupWindows(int iterations);

  // True if the draw of this iteration, counted from 0, belongs to a window.
  bool collects(int iteration) const { return iteration >= first_ && iteration < last_; }
  // True if a window ends with this iteration. Iterations must be asked in order.
  bool ends_window(int iteration);

 private:
  int first_;   // first iteration of the first window
  int last_;    // one past the last window
  int length_;  // of the current window
  int end_;     // one past the current window
};

}  // namespace dpvi
