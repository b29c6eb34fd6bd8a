#pragma once

#include <array>
#include <cstdint>

namespace dpvi {

// Philox4x64-10 of Salmon, Moraes, Dror & Shaw (2011), with the constants they published.
std::array<std::uint64_t, 4> philox4x64_10(std::array<std::uint64_t, 4> counter,
                                           std::array<std::uint64_t, 2> key);

}  // namespace dpvi
