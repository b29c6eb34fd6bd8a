#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dpvi {

// A few of the iterates of a run, evenly spaced over all its steps, for a picture of the run. This
// is post-processing of releases, as the iterates are.
class IteratePath {
 public:
  static constexpr std::size_t kMostPoints = 200;
  // With more numbers than this the path has fewer points. With so many parameters that fewer than
  // kFewestPoints would be left, it has only some of the parameters.
  static constexpr std::size_t kMostNumbers = 10000;
  static constexpr std::size_t kFewestPoints = 10;

  // A default path keeps nothing.
  IteratePath() = default;
  IteratePath(std::int64_t steps, std::size_t size);

  // Steps count from 1.
  void add(std::int64_t step, std::span<const double> iterate);

  const std::vector<std::int64_t>& steps() const { return kept_steps_; }
  const std::vector<std::vector<double>>& iterates() const { return kept_; }
  // Places of the parameters that are kept, evenly spaced; empty if all are.
  const std::vector<std::size_t>& parameters() const { return parameters_; }

 private:
  std::int64_t steps_ = 0;
  std::int64_t points_ = 0;
  std::vector<std::size_t> parameters_;
  std::vector<std::int64_t> kept_steps_;
  std::vector<std::vector<double>> kept_;
};

}  // namespace dpvi
