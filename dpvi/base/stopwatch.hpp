#pragma once

#include <chrono>

namespace dpvi {

// Accumulates the seconds between start() and stop().
class Stopwatch {
 public:
  void start() { started_ = Clock::now(); }
  void stop() { total_ += Clock::now() - started_; }
  double seconds() const { return std::chrono::duration<double>(total_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point started_ = {};
  Clock::duration total_ = {};
};

}  // namespace dpvi
