#pragma once

#include <cstdint>

namespace dpvi {

// The precision of record values and of the lane values computed from them.
enum class Precision : std::uint8_t { single_precision, double_precision };

}  // namespace dpvi
