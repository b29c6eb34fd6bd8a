#pragma once

#include <vector>

#include <dpvi/family/family.hpp>

namespace dpvi {

// A member of a family.
struct Gaussian {
  SharedFamily family;
  std::vector<double> parameters;
};

}  // namespace dpvi
