#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/tape/compile/lane_program.hpp>

namespace dpvi {

// A range of numbers in one adjoint store that must be zero when the reverse sweep starts.
struct ZeroRange {
  AdjointStore where{};
  std::int32_t first = 0;
  std::int32_t count = 0;
};

// Tracks which adjoints have been written while a reverse sweep is planned. The first write to an
// adjoint overwrites it. An adjoint that is read or added to before its first write must be zero at
// the start. Positions count lane vectors.
class AdjointWrites {
 public:
  explicit AdjointWrites(std::int32_t gradient_size) : stores_(2) {
    stores_[1].resize(static_cast<std::size_t>(gradient_size), State::untouched);
  }

  // Plans a write to these positions, in this order. Returns true if the write must accumulate.
  bool plan_write(AdjointStore store, std::span<const std::int32_t> positions, bool always_adds);
  void plan_read(AdjointStore store, std::span<const std::int32_t> positions);

  // The ranges that must be zero at the start, including parameters that are never written.
  std::vector<ZeroRange> zero_ranges() const;

 private:
  enum class State : std::uint8_t { untouched, written, zeroed };
  State& state(AdjointStore store, std::int32_t position);

  std::vector<std::vector<State>> stores_;  // indexed by AdjointStore
};

}  // namespace dpvi
