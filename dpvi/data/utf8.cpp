#include <dpvi/data/utf8.hpp>

#include <cstddef>
#include <cstdint>

namespace dpvi {
namespace {

// Number of bytes that follow a first byte; more than three if it is not a valid first byte.
std::size_t length_after(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xc2 && first <= 0xdf) return 1;
  if (first >= 0xe0 && first <= 0xef) return 2;
  if (first >= 0xf0 && first <= 0xf4) return 3;
  return 4;
}

bool allowed(std::uint32_t code, std::size_t following) {
  if (following == 2) return code >= 0x800 && (code < 0xd800 || code > 0xdfff);
  if (following == 3) return code >= 0x10000 && code <= 0x10ffff;
  return true;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t following = length_after(first);
    if (following > 3 || text.size() <= following) return false;
    std::uint32_t code = following == 0 ? first : first & (0x3fu >> following);
    for (std::size_t i = 1; i <= following; ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      if ((byte & 0xc0) != 0x80) return false;
      code = code << 6 | (byte & 0x3fu);
    }
    if (!allowed(code, following)) return false;
    text.remove_prefix(following + 1);
  }
  return true;
}

}  // namespace dpvi
