#pragma once

#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// Uniform and strictly between 0 and 1, for public use.
inline double unit_uniform(SeededStream& stream) {
  return (static_cast<double>(stream.next() >> 12) + 0.5) * 0x1p-52;
}

}  // namespace dpvi
