#pragma once

#include <cstdint>
#include <span>

namespace dpvi {

// Fills the bytes from getrandom(2), or ends the process (fail_closed). For keys and identifiers;
// noise comes from a SecureGenerator.
void fill_from_kernel(std::span<std::uint8_t> bytes);

}  // namespace dpvi
