#pragma once

#include <cstdint>
#include <vector>

namespace dpvi {

// One mock record: a number for each slot of the binding.
struct MockRecord {
  std::vector<double> reals;
  std::vector<std::int32_t> integers;
};

}  // namespace dpvi
