#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace dpvi {

// Appends an unsigned number to `bytes`, its lowest byte first.
template <std::unsigned_integral T>
void append_number(std::string& bytes, T number) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes.push_back(static_cast<char>((number >> (8 * i)) & 0xFFU));
  }
}

inline void append_double(std::string& bytes, double number) {
  append_number(bytes, std::bit_cast<std::uint64_t>(number));
}

// Two's complement.
template <std::signed_integral T>
void append_signed(std::string& bytes, T number) {
  append_number(bytes, static_cast<std::make_unsigned_t<T>>(number));
}

}  // namespace dpvi
