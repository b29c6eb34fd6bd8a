#include <dpvi/random/seeded_generator.hpp>

#include <dpvi/random/internal/philox.hpp>

namespace dpvi {

SeededStream::SeededStream(std::uint64_t seed, const StreamAddress& address)
    : key_{seed, static_cast<std::uint64_t>(address.label)},
      counter_{0, address.block, address.step, 0} {}

void SeededStream::fill(std::span<std::uint64_t> words) {
  for (std::uint64_t& word : words) word = next();
}

void SeededStream::next_output() {
  output_ = philox4x64_10(counter_, key_);
  ++counter_[0];
  position_ = 0;
}

}  // namespace dpvi
