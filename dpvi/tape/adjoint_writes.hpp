#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/tape/lane_program.hpp>

namespace dpvi {

// Numbers of one adjoint store that the reverse sweep must find zero.
struct ZeroRange {
  AdjointStore where{};
  std::int32_t first = 0;
  std::int32_t count = 0;
};

// Follows, while a reverse sweep is planned, which adjoints have been written. The first to write
// an adjoint overwrites it; what is read or added to before anyone wrote it must be zero at the
// start. Positions count lane vectors.
class AdjointWrites {
 public:
  explicit AdjointWrites(std::int32_t gradient_size) : stores_(2) {
    stores_[1].resize(static_cast<std::size_t>(gradient_size), State::untouched);
  }

  // Plans a write to these positions, in this order; true if it must add to what is there.
  bool plan_write(AdjointStore store, std::span<const std::int32_t> positions, bool always_adds);
  void plan_read(AdjointStore store, std::span<const std::int32_t> positions);

  // What must be zero at the start, parameters that nothing wrote among it.
  std::vector<ZeroRange> zero_ranges() const;

 private:
  enum class State : std::uint8_t { untouched, written, zeroed };
  State& state(AdjointStore store, std::int32_t position);

  std::vector<std::vector<State>> stores_;  // by AdjointStore
};

}  // namespace dpvi
