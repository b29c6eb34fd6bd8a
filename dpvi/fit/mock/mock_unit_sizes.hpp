#pragma once

#include <cmath>
#include <cstdint>

#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/random/unit_uniform.hpp>

namespace dpvi {

// Generates the unit id of each row in turn: 1, 2, ... The number of rows of a unit is uniform from
// one to its limit.
class MockUnitSizes {
 public:
  MockUnitSizes(std::uint32_t max_rows, const SeededGenerator& generator)
      : max_rows_(max_rows), stream_(generator.stream({.label = StreamLabel::sampling})) {}

  std::uint64_t next() {
    if (left_ == 0) {
      ++unit_;
      left_ = 1.0 + std::floor(max_rows_ * unit_uniform(stream_));
    }
    --left_;
    return unit_;
  }

 private:
  double max_rows_;
  SeededStream stream_;
  std::uint64_t unit_ = 0;
  double left_ = 0;  // remaining rows of the current unit
};

}  // namespace dpvi
