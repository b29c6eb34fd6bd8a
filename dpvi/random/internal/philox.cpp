#include <dpvi/random/internal/philox.hpp>

namespace dpvi {
namespace {

struct Product {
  std::uint64_t high;
  std::uint64_t low;
};

Product multiply(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

}  // namespace

std::array<std::uint64_t, 4> philox4x64_10(std::array<std::uint64_t, 4> counter,
                                           std::array<std::uint64_t, 2> key) {
  std::array<std::uint64_t, 4> x = counter;
  for (int round = 0; round < 10; ++round) {
    const Product first = multiply(0xD2E7470EE14C6C93, x[0]);
    const Product second = multiply(0xCA5A826395121157, x[2]);
    x = {second.high ^ x[1] ^ key[0], second.low, first.high ^ x[3] ^ key[1], first.low};
    key[0] += 0x9E3779B97F4A7C15;
    key[1] += 0xBB67AE8584CAA73B;
  }
  return x;
}

}  // namespace dpvi
