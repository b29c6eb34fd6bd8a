#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/random/sampling_rate.hpp>
#include <dpvi/random/word_source.hpp>

namespace dpvi {

// Number of records to skip before the next selected one: P(gap >= g) = (1 - q)^g. By inversion,
// gap = max {g : U < (1 - q)^g} = floor(log U / log(1 - q)) for a uniform real U whose bits are
// drawn as needed.
class GeometricGap {
 public:
  // `rate` must be below 1.
  explicit GeometricGap(SamplingRate rate);

  // Returns the gap, or `limit` if the gap is not smaller: none of the next `limit` records is
  // selected. `limit` must be at most 2^53.
  //
  // Guarantee: the gap is the one the infinite bits of U would give. Doubles decide if their error
  // cannot matter. Otherwise integers decide, with as many bits of U as needed.
  template <WordSource Source>
  std::uint64_t draw(Source& source, std::uint64_t limit) const {
    const std::uint64_t word = source.next();
    if (const auto gap = in_double(word, limit)) return *gap;
    std::vector<std::uint64_t> words{word};
    for (;;) {
      if (const auto gap = exactly(words, limit)) return *gap;
      words.push_back(source.next());
    }
  }

  // min(gap, limit), or nullopt if double arithmetic on the first word of U leaves doubt about it.
  std::optional<std::uint64_t> in_double(std::uint64_t word, std::uint64_t limit) const;

  // min(gap, limit), or nullopt if these words of U, the highest first, leave doubt about it.
  std::optional<std::uint64_t> exactly(std::span<const std::uint64_t> words,
                                       std::uint64_t limit) const;

 private:
  SamplingRate rate_;
  double per_log_;  // 1 / log(1 - q), negative
  double margin_;
};

}  // namespace dpvi
