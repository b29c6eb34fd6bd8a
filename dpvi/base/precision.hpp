#pragma once

#include <cstdint>

namespace dpvi {

// Of record values and of what is computed from them lane by lane.
enum class Precision : std::uint8_t { single_precision, double_precision };

}  // namespace dpvi
