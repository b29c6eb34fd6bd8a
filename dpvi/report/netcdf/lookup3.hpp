#pragma once

#include <cstdint>
#include <string_view>

namespace dpvi {

// The checksum of HDF5's metadata: Bob Jenkins' function lookup3 with initial value 0.
std::uint32_t lookup3(std::string_view bytes);

}  // namespace dpvi
