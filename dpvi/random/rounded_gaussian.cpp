#include <dpvi/random/rounded_gaussian.hpp>

#include <dpvi/random/internal/round_draw.hpp>

namespace dpvi {

void add_rounded_gaussian(SecureStream& stream, std::span<std::int64_t> sums) {
  for (std::int64_t& sum : sums) sum += round_draw<kNoiseBits>(draw_gaussian(stream));
}

}  // namespace dpvi
