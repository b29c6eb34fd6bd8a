#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dpvi {

// For all events A: P(A) <= e^epsilon Q(A) + delta, and the same with P and Q exchanged. P and Q
// are the laws of a run's output on two neighbouring tables. A list of points, one delta for each
// epsilon, is a claim of f-differential privacy (Dong, Roth & Su 2022, Proposition 2.12).
struct ClaimPoint {
  double epsilon;
  double delta;
};

// Scores of runs: for each kind of score, one number per run.
using ScoreColumns = std::vector<std::vector<double>>;

// Evidence against claims, from pairs of independent runs: one with the canary (P) and one on the
// neighbouring table (Q).
//
// The test is a series of bets (Shafer 2021; Waudby-Smith & Ramdas 2024). Before a round of new
// pairs, it chooses a score, a threshold, a point of the claim and a stake from earlier rounds
// alone. With A the event that the score is beyond the threshold, a pair (x, y) pays
//   B = 1[x in A] - e^epsilon 1[y in A] - delta,
// and the wealth is multiplied by 1 + stake B. If the claim is true, B has mean at most 0 whatever
// happened before, so the wealth is a non-negative supermartingale that starts at 1. By Ville's
// inequality it ever reaches 1/alpha with probability at most alpha.
//
// Guarantee: a true claim is refuted at level alpha with probability at most alpha, at whatever
// moment the audit stops and whatever it stops for.
class BettingEvidence {
 public:
  // Adds a round. All rounds must have the same kinds of scores, and both sides as many runs.
  void add_round(const ScoreColumns& with_canary, const ScoreColumns& neighbour);

  std::uint64_t pairs() const { return pairs_; }

  // The logarithm of the largest wealth so far, at the ends of rounds. The claim is refuted at
  // level alpha if this is at least -log(alpha).
  double log_wealth(std::span<const ClaimPoint> claim) const;

 private:
  // One threshold of one score. The event is: the score is above it.
  struct Threshold {
    std::uint64_t earlier_with = 0, earlier_neighbour = 0;  // runs of earlier rounds in the event
    // Pairs of this round: neither run in the event, only the neighbour's, only the canary's, both.
    std::array<std::uint64_t, 4> now{};
  };
  struct Round {
    std::uint64_t earlier_pairs = 0;
    std::vector<Threshold> thresholds;
  };
  struct Bet;

  static Bet best_bet(const Round& round, std::span<const ClaimPoint> claim);
  Round made_round(const ScoreColumns& with_canary, const ScoreColumns& neighbour) const;

  ScoreColumns with_canary_, neighbour_;  // of all rounds
  std::vector<Round> rounds_;
  std::uint64_t pairs_ = 0;
};

}  // namespace dpvi
