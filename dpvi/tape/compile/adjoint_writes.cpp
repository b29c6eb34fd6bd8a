#include <dpvi/tape/compile/adjoint_writes.hpp>

#include <algorithm>

namespace dpvi {

AdjointWrites::State& AdjointWrites::state(AdjointStore store, std::int32_t position) {
  std::vector<State>& states = stores_[static_cast<std::size_t>(store)];
  const auto at = static_cast<std::size_t>(position);
  if (at >= states.size()) states.resize(at + 1, State::untouched);
  return states[at];
}

bool AdjointWrites::plan_write(AdjointStore store, std::span<const std::int32_t> positions,
                               bool always_adds) {
  const bool all_new = std::ranges::all_of(
      positions, [&](std::int32_t position) { return state(store, position) == State::untouched; });
  if (all_new && !always_adds) {
    for (const std::int32_t position : positions) state(store, position) = State::written;
    return false;
  }
  plan_read(store, positions);
  return true;
}

void AdjointWrites::plan_read(AdjointStore store, std::span<const std::int32_t> positions) {
  for (const std::int32_t position : positions) {
    State& current = state(store, position);
    if (current == State::untouched) current = State::zeroed;
  }
}

std::vector<ZeroRange> AdjointWrites::zero_ranges() const {
  std::vector<ZeroRange> ranges;
  for (std::size_t store = 0; store < stores_.size(); ++store) {
    const auto where = static_cast<AdjointStore>(store);
    const std::vector<State>& states = stores_[store];
    bool open = false;
    for (std::size_t i = 0; i < states.size(); ++i) {
      const bool zero = states[i] == State::zeroed ||
                        (where == AdjointStore::gradient && states[i] == State::untouched);
      if (zero && !open) ranges.push_back({where, static_cast<std::int32_t>(i) * kLanes, 0});
      if (zero) ranges.back().count += kLanes;
      open = zero;
    }
  }
  return ranges;
}

}  // namespace dpvi
