#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/audit/audit_claim.hpp>
#include <dpvi/audit/betting_evidence.hpp>
#include <dpvi/audit/transcript_scores.hpp>

namespace dpvi {
namespace {

// Runs of a Gaussian mechanism: N(1, s^2) with the canary, N(0, s^2) without it.
class GaussianRuns {
 public:
  GaussianRuns(std::uint64_t seed, double noise) : engine_(seed), noise_(noise) {}

  void add_round(BettingEvidence& evidence, std::size_t size) {
    evidence.add_round({draw(size, 1.0)}, {draw(size, 0.0)});
  }

 private:
  std::vector<double> draw(std::size_t size, double shift) {
    std::vector<double> scores(size);
    for (double& score : scores) score = shift + noise_ * normal_(engine_);
    return scores;
  }

  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
  double noise_;
};

std::vector<ClaimPoint> claim_of_noise(double noise) {
  return claim_points({{1.0, noise, 1}}, Adjacency::add_remove);
}

// Guarantee: a true claim is refuted at level alpha with probability at most alpha, at whatever
// moment the audit stops and whatever it stops for.
// The claim is true and tight, and the audit stops at the moment that is worst for it: the largest
// wealth over twelve rounds. Of 1000 audits at alpha = .05 at most 50 + 4 standard errors may fail.
TEST(BettingEvidence, RefutesATrueClaimNoMoreOftenThanStated) {
  const std::vector<ClaimPoint> claim = claim_of_noise(1.0);
  constexpr int kAudits = 1000;
  constexpr double kAlpha = 0.05;
  int refuted = 0;
  for (int audit = 0; audit < kAudits; ++audit) {
    GaussianRuns runs(static_cast<std::uint64_t>(audit) + 1, 1.0);
    BettingEvidence evidence;
    for (int round = 0; round < 12; ++round) runs.add_round(evidence, 100);
    refuted += evidence.log_wealth(claim) >= -std::log(kAlpha) ? 1 : 0;
  }
  EXPECT_LE(refuted, kAlpha * kAudits + 4.0 * std::sqrt(kAlpha * (1 - kAlpha) * kAudits));
}

// Shows the power: 5 % less noise than claimed is found at level 1e-5 in 150000 pairs of runs.
TEST(BettingEvidence, RefutesFivePercentLessNoise) {
  const double stated = 1.0 / 3.0;
  GaussianRuns runs(7, 0.95 * stated);
  BettingEvidence evidence;
  for (std::size_t size = 1000; evidence.pairs() < 100000; size = evidence.pairs() / 2 + 1) {
    runs.add_round(evidence, size);
  }
  EXPECT_GT(evidence.log_wealth(claim_of_noise(stated)), std::log(1e5));
  EXPECT_LT(evidence.log_wealth(claim_of_noise(0.95 * stated)), std::log(1e3));
}

// The first round has nothing to choose a bet by.
TEST(BettingEvidence, FirstRoundBetsNothing) {
  GaussianRuns runs(1, 0.01);
  BettingEvidence evidence;
  runs.add_round(evidence, 1000);
  EXPECT_EQ(evidence.log_wealth(claim_of_noise(5.0)), 0.0);
}

TEST(TranscriptScores, FirstScoreIsTheLogRatioOfTheTwoDensities) {
  const GaussianRun run = {{0.3, 1.7, 3}};
  const Transcript transcript = {{-2.0, 0, 0}, {0.4, 0, 0}, {5.1, 0, 0}};
  double add_remove = 0.0, substitute = 0.0;
  for (const SeenRelease& release : transcript) {
    const auto density = [&](double mean) {
      return std::exp(-std::pow((release.canary - mean) / 1.7, 2) / 2.0);
    };
    const double with_canary = 0.7 * density(0.0) + 0.3 * density(1.0);
    add_remove += std::log(with_canary / density(0.0));
    substitute += std::log(with_canary / (0.7 * density(0.0) + 0.3 * density(-1.0)));
  }
  EXPECT_NEAR(transcript_scores(run, Adjacency::add_remove, transcript)[0], add_remove, 1e-12);
  EXPECT_NEAR(transcript_scores(run, Adjacency::substitute, transcript)[0], substitute, 1e-12);
}

}  // namespace
}  // namespace dpvi
