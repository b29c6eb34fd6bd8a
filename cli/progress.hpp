#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace dpvi::cli {

// Shows steps, time left and the planned epsilon on standard error: a bar on a terminal, a line for
// every tenth otherwise. Nothing it shows depends on a record, unless through the clock.
class Progress {
 public:
  // `what` is counted: steps of a fit, unless told otherwise.
  Progress(std::string label, bool quiet, std::string what = "step");
  void show(std::int64_t done, std::int64_t all);

 private:
  void show_bar(std::int64_t done, std::int64_t all, double seconds_left);

  std::string label_;  // shown behind the count, if there is one
  std::string what_;
  bool quiet_;
  bool terminal_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
  std::int64_t tenths_ = 0;
};

}  // namespace dpvi::cli
