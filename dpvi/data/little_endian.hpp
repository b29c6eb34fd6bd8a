#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace dpvi {

// Unsigned numbers as bytes, lowest first, on any machine.
inline void put_little(std::uint64_t number, std::size_t size, char* to) {
  for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<char>(number >> (8 * i));
}

inline std::uint64_t get_little(const char* from, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) {
    number |= static_cast<std::uint64_t>(static_cast<unsigned char>(from[i])) << (8 * i);
  }
  return number;
}

inline void append_little(std::string& bytes, std::uint64_t number, std::size_t size) {
  bytes.resize(bytes.size() + size);
  put_little(number, size, bytes.data() + bytes.size() - size);
}

}  // namespace dpvi
