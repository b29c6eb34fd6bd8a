#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dpvi {

// A variable of the result as the program declares it. The order is parameters, transformed
// parameters, retained generated quantities.
struct OutputVariable {
  std::string name;
  std::vector<std::int64_t> dimensions;  // empty for a scalar

  std::int64_t size() const {
    std::int64_t product = 1;
    for (const std::int64_t dimension : dimensions) product *= dimension;
    return product;
  }
};

}  // namespace dpvi
