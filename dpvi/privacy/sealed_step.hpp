#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/privacy/released.hpp>

namespace dpvi {

// What a resumed run needs to repeat everything that followed from one step. It holds released and
// public values only.
struct RecordedStep {
  std::vector<double> draw;   // variational draw of the step
  std::vector<double> theta;  // where the sum was released
  Released released;
};

// Turns recorded steps into bytes and back, encrypted and authenticated by AES-256-GCM. Each step
// is bound to its number and to the tag of the step before it, so steps cannot be exchanged, left
// out or repeated.
//
// Guarantee: only what was sealed under the same key can be opened. A release is therefore restored
// from bytes only if a mechanism made it.
class StepSeal {
 public:
  using Key = std::array<std::uint8_t, 32>;
  static constexpr std::size_t kTagSize = 16;

  // A key must seal every number at most once.
  explicit StepSeal(const Key& key) : key_(key) {}

  // The last kTagSize bytes are the tag. `previous` is the tag of the step before, or any text.
  std::string seal(const RecordedStep& step, std::uint64_t number, std::string_view previous) const;

  // Returns nullopt for bytes that were not sealed with this key, number and previous tag.
  std::optional<RecordedStep> open(std::string_view sealed, std::uint64_t number,
                                   std::string_view previous) const;

 private:
  Key key_;
};

}  // namespace dpvi
