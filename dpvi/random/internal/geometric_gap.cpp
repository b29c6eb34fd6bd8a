#include <dpvi/random/internal/geometric_gap.hpp>

#include <cassert>
#include <cmath>

#include <dpvi/random/internal/certified_bounds.hpp>

namespace dpvi {
namespace {

// Below this word, U is known too coarsely for the margin.
constexpr std::uint64_t kCoarse = std::uint64_t{1} << 44;

}  // namespace

// Let t = log U / log(1 - q). For a word of at least 2^44, log U lies within 2^-44 of the logarithm
// of the word's middle, and is at most 14 in magnitude. Rounding adds less than 2^-45: converting
// the word to double, log, log1p and two more operations each have a relative error below 2^-51,
// even if the library is off by several units. Hence t is within 2^-43 / |log(1 - q)|; the margin
// is twice that.
GeometricGap::GeometricGap(SamplingRate rate)
    : rate_(rate), per_log_(1 / std::log1p(-rate.value())), margin_(-0x1p-42 * per_log_) {
  assert(!rate.selects_all());
}

std::optional<std::uint64_t> GeometricGap::in_double(std::uint64_t word,
                                                     std::uint64_t limit) const {
  if (word < kCoarse) return std::nullopt;
  const double middle = (static_cast<double>(word) + 0.5) * 0x1p-64;
  const double t = std::log(middle) * per_log_;
  if (t - margin_ > static_cast<double>(limit)) return limit;
  const double gap = std::floor(t);
  if (t - gap < margin_ || gap + 1 - t < margin_) return std::nullopt;
  const auto whole = static_cast<std::uint64_t>(gap);
  return whole < limit ? whole : limit;
}

std::optional<std::uint64_t> GeometricGap::exactly(std::span<const std::uint64_t> words,
                                                   std::uint64_t limit) const {
  BigInteger uniform = 0;
  unsigned bits = 0;
  for (const std::uint64_t word : words) {
    uniform = (uniform << 64) + word;
    bits += 64;
  }
  // U lies in [uniform, uniform + 1) / 2^bits. The powers have 320 bits more than U.
  constexpr unsigned kExtra = 320;
  const BigInteger lowest = uniform << kExtra;
  const BigInteger highest = (uniform + 1) << kExtra;
  const BigInteger base = (BigInteger(1) << 64) - rate_.last_selecting_word() - 1;
  // Invariant: U < (1 - q)^low, and either high > limit or U >= (1 - q)^high.
  std::uint64_t low = 0;
  std::uint64_t high = limit + 1;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    const CertifiedBounds power = certified_power(base, middle, bits + kExtra);
    if (highest <= power.lower) {
      low = middle;
    } else if (lowest >= power.upper) {
      high = middle;
    } else {
      return std::nullopt;
    }
  }
  return low;
}

}  // namespace dpvi
