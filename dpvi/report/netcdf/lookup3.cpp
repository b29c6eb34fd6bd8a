#include <dpvi/report/netcdf/lookup3.hpp>

#include <bit>
#include <cstddef>

namespace dpvi {
namespace {

// Reads up to four bytes, the lowest first. Bytes past the end count as 0.
std::uint32_t word_at(std::string_view bytes, std::size_t place) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4 && place + i < bytes.size(); ++i) {
    word |= std::uint32_t{static_cast<unsigned char>(bytes[place + i])} << (8 * i);
  }
  return word;
}

struct State {
  std::uint32_t a, b, c;

  void add(std::string_view block) {
    a += word_at(block, 0);
    b += word_at(block, 4);
    c += word_at(block, 8);
  }

  void mix() {
    const auto step = [](std::uint32_t& x, std::uint32_t& z, std::uint32_t y, int distance) {
      x -= z;
      x ^= std::rotl(z, distance);
      z += y;
    };
    step(a, c, b, 4);
    step(b, a, c, 6);
    step(c, b, a, 8);
    step(a, c, b, 16);
    step(b, a, c, 19);
    step(c, b, a, 4);
  }

  void finish() {
    const auto step = [](std::uint32_t& x, std::uint32_t y, int distance) {
      x ^= y;
      x -= std::rotl(y, distance);
    };
    step(c, b, 14);
    step(a, c, 11);
    step(b, a, 25);
    step(c, b, 16);
    step(a, c, 4);
    step(b, a, 14);
    step(c, b, 24);
  }
};

}  // namespace

std::uint32_t lookup3(std::string_view bytes) {
  constexpr std::size_t kBlock = 12;
  const std::uint32_t start = 0xDEADBEEF + static_cast<std::uint32_t>(bytes.size());
  State state{start, start, start};
  while (bytes.size() > kBlock) {
    state.add(bytes.substr(0, kBlock));
    state.mix();
    bytes.remove_prefix(kBlock);
  }
  if (bytes.empty()) return state.c;
  state.add(bytes);
  state.finish();
  return state.c;
}

}  // namespace dpvi
