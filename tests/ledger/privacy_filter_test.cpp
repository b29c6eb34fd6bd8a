#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include <dpvi/ledger/mechanism.hpp>
#include <dpvi/ledger/privacy_filter.hpp>
#include <dpvi/privacy/analytic_gaussian.hpp>
#include <dpvi/privacy/calibration.hpp>
#include <dpvi/privacy/pld.hpp>
#include <dpvi/privacy/rdp.hpp>

namespace dpvi {
namespace {

LedgerTerms terms_with(FilterKind kind, double epsilon = 1.0, double delta = 1e-6) {
  return with_orders({.epsilon = epsilon, .delta = delta, .filter = kind});
}

GaussianRun one_release(double noise_multiplier) { return {{1.0, noise_multiplier, 1}}; }

int runs_that_fit(const PrivacyFilter& filter, const GaussianRun& run) {
  FilterAmount total = filter.nothing();
  int runs = 0;
  while (filter.admits(total = sum_of(total, filter.amount_of(run)))) ++runs;
  return runs;
}

TEST(PrivacyFilter, ABudgetOfOneHoldsTwentyRunsOfAFifthAtFullParticipation) {
  const GaussianRun fifth = calibrate_noise(one_release(1.0), {.epsilon = 0.2}).run;
  EXPECT_EQ(runs_that_fit(PrivacyFilter(terms_with(FilterKind::full_participation)), fifth), 20);
  EXPECT_EQ(runs_that_fit(PrivacyFilter(terms_with(FilterKind::mixed)), fifth), 17);
}

// The amounts of a filter of full participation against privacy-loss distributions.
TEST(PrivacyFilter, FullParticipationAgreesWithASecondMethod) {
  for (const Adjacency adjacency : {Adjacency::substitute, Adjacency::add_remove}) {
    LedgerTerms terms = terms_with(FilterKind::full_participation);
    terms.adjacency = adjacency;
    const PrivacyFilter filter(terms);
    const GaussianRun runs = {{1.0, 30.0, 7}, {1.0, 11.0, 3}, {1.0, 50.0, 20}};
    const Bracket truth = pld_epsilon(runs, adjacency, terms.delta);
    EXPECT_NEAR(filter.epsilon_of(filter.amount_of(runs)), truth.upper, 1e-4 * truth.upper);
    EXPECT_GE(filter.epsilon_of(filter.amount_of(runs)), truth.lower);
  }
}

// Runs with fixed parameters cost at most what the filter says: it may not admit too much.
TEST(PrivacyFilter, MixedNeverPricesBelowPrivacyLossDistributions) {
  const GaussianRun runs[] = {
      {{0.1, 20.0, 400}}, {{0.01, 1.2, 2000}}, {{1.0, 40.0, 10}}, {{0.3, 9.0, 30}, {1.0, 35.0, 4}}};
  for (const double epsilon : {0.3, 1.0, 4.0}) {
    const PrivacyFilter filter(terms_with(FilterKind::mixed, epsilon));
    for (const GaussianRun& run : runs) {
      EXPECT_GE(filter.epsilon_of(filter.amount_of(run)),
                pld_epsilon(run, Adjacency::substitute, 1e-6).lower);
    }
  }
}

TEST(PrivacyFilter, AnOrderGetsItsShareOfDeltaOnly) {
  LedgerTerms terms = terms_with(FilterKind::mixed);
  const double order = terms.orders.at(0);
  const GaussianRun run = one_release(20.0);
  const double alone = PrivacyFilter(terms).epsilon_of(PrivacyFilter(terms).amount_of(run));
  EXPECT_NEAR(alone, epsilon_from_rdp(rdp(run, Adjacency::substitute, order), order, 1e-6), 1e-9);
  terms.orders = {order, order / 2};
  const double shared = PrivacyFilter(terms).epsilon_of(PrivacyFilter(terms).amount_of(run));
  EXPECT_NEAR(shared - alone, std::log(2) / (order - 1), 1e-9);
}

TEST(PrivacyFilter, WhatIsSpentLiesBetweenTheTruthAndTheFilter) {
  const PrivacyFilter filter(terms_with(FilterKind::mixed, 2.0));
  const GaussianRun runs = {{0.1, 28.0, 200}, {1.0, 150.0, 10}};
  const double spent = filter.spent_epsilon(runs);
  EXPECT_GE(spent, pld_epsilon(runs, Adjacency::substitute, 1e-6).lower);
  EXPECT_LE(spent, 1.2 * pld_epsilon(runs, Adjacency::substitute, 1e-6).upper);
  EXPECT_LT(spent, filter.epsilon_of(filter.amount_of(runs)));
}

TEST(PrivacyFilter, NothingIsFreeAndSampledRunsAreInfiniteAtFullParticipation) {
  const PrivacyFilter filter(terms_with(FilterKind::full_participation));
  EXPECT_TRUE(filter.admits(filter.nothing()));
  EXPECT_EQ(filter.epsilon_of(filter.nothing()), 0.0);
  EXPECT_FALSE(filter.admits(filter.amount_of(GaussianRun{{0.5, 100.0, 1}})));
}

TEST(PrivacyFilter, ATotalCostsWhatItsReleasesWouldCost) {
  const PrivacyFilter filter(terms_with(FilterKind::full_participation));
  const std::vector<Mechanism> total = {GaussianTotal{.mu_substitute = 0.2, .mu_add_remove = 0.1}};
  const GaussianRun four_releases = {{1.0, 20.0, 4}};  // each 2/20
  EXPECT_NEAR(filter.amount_of(equivalent_run(total, Adjacency::substitute)).at(0), 0.04, 1e-12);
  EXPECT_NEAR(filter.amount_of(four_releases).at(0), 0.04, 1e-12);
}

// delta that remains at stake if the loss so far is `loss` and a run of the second stage follows.
// The pair of substitution is symmetric, which gives the values at negative epsilon.
double delta_after(double loss, double epsilon, const std::function<double(double)>& delta_at) {
  const double rest = epsilon - loss;
  if (rest >= 0) return delta_at(rest);
  return 1 - std::exp(rest) + std::exp(rest) * delta_at(-rest);
}

// The largest amount of the second stage that still fits, as a run.
GaussianRun largest_second_run(const PrivacyFilter& filter, const FilterAmount& spent,
                               GaussianPhase phase) {
  double low = 1, high = 1e6;  // noise multipliers: too little and enough
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    phase.noise_multiplier = middle;
    const FilterAmount total = sum_of(filter.amount_of(GaussianRun{phase}), spent);
    (filter.admits(total) ? high : low) = middle;
  }
  phase.noise_multiplier = high;
  return {phase};
}

// An adversary makes a first release, looks at its privacy loss, and then chooses the second run
// among all that the filter still admits here, so as to make the total delta as large as possible.
// The total is integrated over the first loss.
double largest_delta_of_adversary(const PrivacyFilter& filter, double first_noise,
                                  const std::vector<GaussianPhase>& choices) {
  const double epsilon = filter.terms().epsilon;
  const FilterAmount spent = filter.amount_of(one_release(first_noise));
  EXPECT_TRUE(filter.admits(spent));
  std::vector<std::function<double(double)>> second = {[](double) { return 0.0; }};
  for (const GaussianPhase& choice : choices) {
    const GaussianRun run = largest_second_run(filter, spent, choice);
    second.emplace_back(
        [run](double rest) { return pld_delta(run, Adjacency::substitute, rest).lower; });
  }
  const double mu = 2 / first_noise;
  constexpr double kStep = 0.1, kLowest = -5.0, kHighest = 9.0;
  double total = 0;
  for (double z = kLowest; z <= kHighest; z += kStep) {
    const double loss = mu * mu / 2 + mu * z;
    double most = 0;
    for (const auto& delta_at : second) most = std::max(most, delta_after(loss, epsilon, delta_at));
    total += most * std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0)) * kStep;
  }
  return total;
}

// Guarantee: runs that a filter admits are together differentially private with its budget, however
// they were chosen.
TEST(PrivacyFilter, AnAdversaryThatChoosesAfterSeeingResultsStaysWithinDelta) {
  const PrivacyFilter full(terms_with(FilterKind::full_participation, 1.0, 1e-5));
  const double most = largest_delta_of_adversary(full, 12.0, {{1.0, 1.0, 1}, {1.0, 1.0, 5}});
  EXPECT_LE(most, 1e-5 * (1 + 1e-3));
  EXPECT_GE(most, 0.98e-5) << "the filter costs nothing, so an adversary can spend all of delta";

  const PrivacyFilter mixed(terms_with(FilterKind::mixed, 1.0, 1e-5));
  EXPECT_LE(
      largest_delta_of_adversary(mixed, 14.0, {{1.0, 1.0, 1}, {0.1, 1.0, 20}, {0.01, 1.0, 100}}),
      1e-5);
}

}  // namespace
}  // namespace dpvi
