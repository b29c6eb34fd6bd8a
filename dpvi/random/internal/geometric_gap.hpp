#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/random/sampling_rate.hpp>
#include <dpvi/random/word_source.hpp>

namespace dpvi {

// How many records to pass over before the next selected one: P(gap >= g) = (1 - q)^g. By
// inversion, gap = max {g : U < (1 - q)^g} = floor(log U / log(1 - q)) for a uniform real U whose
// bits are drawn as they are needed.
class GeometricGap {
 public:
  // `rate` must be below 1.
  explicit GeometricGap(SamplingRate rate);

  // The gap, or `limit` if it is not smaller: nobody is selected among the next `limit` records, of
  // which there are at most 2^53.
  //
  // Guarantee: the gap is the one the infinite bits of U would give. Doubles decide where their
  // error cannot matter; in doubt, integers do, with as many bits of U as it takes.
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

  // min(gap, limit) if the first word of U leaves no doubt about it in double arithmetic.
  std::optional<std::uint64_t> in_double(std::uint64_t word, std::uint64_t limit) const;

  // min(gap, limit) if these words of U, first the highest, leave no doubt about it.
  std::optional<std::uint64_t> exactly(std::span<const std::uint64_t> words,
                                       std::uint64_t limit) const;

 private:
  SamplingRate rate_;
  double per_log_;  // 1 / log(1 - q), negative
  double margin_;
};

}  // namespace dpvi
