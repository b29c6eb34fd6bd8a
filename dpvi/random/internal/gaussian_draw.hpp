#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/random/internal/gaussian_intervals.hpp>
#include <dpvi/random/word_source.hpp>

namespace dpvi {

// Six bits come from the interval, the others from the position in it.
inline constexpr int kGaussianFractionBits = 6 + kGaussianPositionBits;

// A standard Gaussian Z, known to 25 fractional bits.
struct GaussianDraw {
  std::uint64_t magnitude;  // floor(|Z| * 2^25)
  bool negative;
};

// A point under the step function that covers the density: interval j, position in it and height.
// Position and height are known to the bits drawn so far.
struct GaussianProposal {
  std::uint64_t interval;
  std::uint64_t position;  // 19 bits: |Z| * 2^25 lies in [magnitude(), magnitude() + 1)
  std::uint64_t height;    // 45 bits: 2^45 times its share of the step lies in [height, height + 1)

  std::uint64_t magnitude() const { return (interval << kGaussianPositionBits) + position; }
};

enum class Verdict { under_density, above_density, undecided };

// Decides in double arithmetic if the bits drawn leave no doubt.
Verdict judge_in_double(const GaussianProposal& proposal);

// Decides in integer arithmetic with more bits of position and height, whose words alternate.
Verdict judge_exactly(const GaussianProposal& proposal, std::span<const std::uint64_t> more_text);

template <WordSource Source>
bool lies_under_density(const GaussianProposal& proposal, Source& source) {
  Verdict verdict = judge_in_double(proposal);
  std::vector<std::uint64_t> more_text;
  while (verdict == Verdict::undecided) {
    more_text.push_back(source.next());
    more_text.push_back(source.next());
    verdict = judge_exactly(proposal, more_text);
  }
  return verdict == Verdict::under_density;
}

// Guarantee: the law of the result is that of a Gaussian cut off at 16 standard deviations,
// exactly. The cut removes less than 2^-188, which is the only error of a draw.
//
// Rejection sampling (von Neumann 1951) from a density that is constant on each interval. Interval
// j is drawn with probability weight[j] / 2^63. Position and height are uniform reals whose bits
// are drawn as needed, and the point is kept if it lies under the density.
//
// A point is kept at once if all its continuations lie under the density (surely_below, 98.7 %).
// Other points are decided in double with a margin. Within the margin (once in about 2^20 draws)
// they are decided in integers, with as many more bits as needed. Every decision is the one that
// the infinite bits would give. Bits after the 25th do not affect the result and are not drawn.
template <WordSource Source>
GaussianDraw draw_gaussian(Source& source) {
  constexpr std::uint64_t kColumnMask = kGaussianIntervalCount - 1;
  constexpr std::uint64_t kPositionMask = (1U << kGaussianPositionBits) - 1;
  for (;;) {
    const std::uint64_t choice = source.next();
    const std::uint64_t point = source.next();
    const std::uint64_t own = choice & kColumnMask;
    const GaussianColumn column = kGaussianIntervals.columns[own];
    const std::uint64_t interval =
        (choice >> (64 - kGaussianColumnBits)) < column.threshold() ? own : column.other();
    const GaussianProposal proposal{interval, point & kPositionMask,
                                    point >> kGaussianPositionBits};
    if (proposal.height < kGaussianIntervals.surely_below[interval] ||
        lies_under_density(proposal, source)) {
      const bool negative = (choice & (kColumnMask + 1)) != 0;
      return {proposal.magnitude(), negative};
    }
  }
}

}  // namespace dpvi
