#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <dpvi/random/stream_address.hpp>

namespace dpvi {

// Words that anyone who knows the seed can reproduce, for non-private baselines, public draws and
// tests. The type is deliberately unrelated to SecureStream; nothing converts one into the other.
//
// Philox4x64-10 (Salmon, Moraes, Dror & Shaw 2011) with key (seed, label) and counter (i, block,
// step, 0): word 4i + j of a stream is word j of the i-th output. It uses integers only, so it is
// the same on every machine.
class SeededStream {
 public:
  std::uint64_t next() {
    if (position_ == output_.size()) next_output();
    return output_[position_++];
  }

  void fill(std::span<std::uint64_t> words);

 private:
  friend class SeededGenerator;
  SeededStream(std::uint64_t seed, const StreamAddress& address);

  void next_output();

  std::array<std::uint64_t, 2> key_;
  std::array<std::uint64_t, 4> counter_;
  std::array<std::uint64_t, 4> output_{};
  std::size_t position_ = 4;
};

class SeededGenerator {
 public:
  explicit SeededGenerator(std::uint64_t seed) : seed_(seed) {}

  SeededStream stream(const StreamAddress& address) const { return {seed_, address}; }

 private:
  std::uint64_t seed_;
};

}  // namespace dpvi
