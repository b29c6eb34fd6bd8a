#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace dpvi::cli {

// Shows steps, remaining time and the planned epsilon on stderr: a bar on a terminal as wide as
// that allows, otherwise (also with TERM=dumb) one line per tenth of the run. The output depends on
// records only through timing.
class Progress {
 public:
  // `what` names the counted item; the default counts steps of a fit.
  Progress(const std::string& label, bool quiet, std::string what = "step");
  void show(std::int64_t done, std::int64_t all);

 private:
  void show_bar(std::int64_t done, std::int64_t all, double seconds_left);

  std::string label_;  // shown after the count unless empty
  std::string what_;
  bool quiet_;
  bool terminal_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
  std::int64_t tenths_ = 0;
  std::size_t shown_ = 0;  // letters of the last bar
};

}  // namespace dpvi::cli
