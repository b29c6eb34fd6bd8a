#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/random/standard_normal.hpp>
#include <dpvi/sample/mcmc_diagnostics.hpp>
#include <dpvi/sample/sampled_chains.hpp>

namespace dpvi {
namespace {

using Chains = std::vector<std::vector<double>>;

// Stationary autoregressive chains with standard normal marginals.
Chains autoregressive_chains(std::size_t count, std::size_t length, double correlation) {
  Chains chains;
  for (std::size_t c = 0; c < count; ++c) {
    SeededStream stream =
        SeededGenerator(11).stream({.label = StreamLabel::predictive_draw, .step = c});
    std::vector<double>& chain = chains.emplace_back();
    double value = standard_normal(stream);
    for (std::size_t i = 0; i < length; ++i) {
      chain.push_back(value);
      value = correlation * value +
              std::sqrt(1.0 - correlation * correlation) * standard_normal(stream);
    }
  }
  return chains;
}

// The chains whose diagnostics ArviZ computed.
Chains waves() {
  Chains chains(3);
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < 101; ++i) {
      const double shift = c == 2 ? 0.3 : 0.0;
      chains[static_cast<std::size_t>(c)].push_back(std::sin(0.7 * i + c) +
                                                    0.01 * ((i * i + 3 * c) % 17) + shift);
    }
  }
  return chains;
}

Chains noise_of_a_congruential_generator() {
  Chains chains(4);
  std::uint64_t state = 12345;
  for (std::vector<double>& chain : chains) {
    double value = 0.0;
    for (int i = 0; i < 200; ++i) {
      state = (1103515245 * state + 12345) % 2147483648;
      value = 0.6 * value + static_cast<double>(state) / 2147483648.0 - 0.5;
      chain.push_back(value);
    }
  }
  return chains;
}

// Reference values of ArviZ 0.23.4: rhat (rank and split), ess (bulk, tail), mcse (mean).
TEST(ChainDiagnostics, AreThoseOfArviz) {
  const ChainDiagnostics found = diagnose_chains(waves());
  EXPECT_NEAR(found.r_hat, 1.0370972716018594, 1e-9);
  EXPECT_NEAR(found.ess_bulk, 116.71632623309773, 1e-6);
  EXPECT_NEAR(found.ess_tail, 210.1906737434209, 1e-6);
  EXPECT_NEAR(found.mcse_mean, 0.06832893649531094, 1e-9);
  EXPECT_NEAR(split_r_hat(waves()), 1.0148815122305457, 1e-9);
  EXPECT_NEAR(effective_sample_size(waves()), 112.92541107510752, 1e-6);
  const Chains noise = noise_of_a_congruential_generator();
  EXPECT_NEAR(diagnose_chains(noise).r_hat, 1.0061486711534176, 1e-9);
  EXPECT_NEAR(diagnose_chains(noise).ess_bulk, 204.33803925354042, 1e-6);
  EXPECT_NEAR(diagnose_chains(noise).ess_tail, 445.6348331462606, 1e-6);
  EXPECT_NEAR(diagnose_chains(noise).mcse_mean, 0.024037976177794195, 1e-9);
}

// R-hat^2 = (N - 1) / N + B / W for split chains (Vehtari et al. 2021, equations 1 to 4).
TEST(ChainDiagnostics, SplitRHatFollowsTheDefinition) {
  const Chains chains = {{1, 2, 4, 3}, {5, 9, 7, 1}};
  // Halves {1, 2}, {4, 3}, {5, 9}, {7, 1} have means 1.5, 3.5, 7, 4 and variances .5, .5, 8, 18.
  const double within = (0.5 + 0.5 + 8.0 + 18.0) / 4.0;
  const double mean = 4.0;
  const double between = (2.5 * 2.5 + 0.5 * 0.5 + 9.0 + 0.0) / 3.0;
  ASSERT_EQ((1.5 + 3.5 + 7.0 + 4.0) / 4.0, mean);
  EXPECT_NEAR(split_r_hat(chains), std::sqrt(0.5 + between / within), 1e-12);
}

TEST(ChainDiagnostics, EffectiveSizeOfAutoregressiveChainsIsTheTheoreticalOne) {
  for (const double correlation : {-0.5, 0.0, 0.5, 0.9}) {
    const Chains chains = autoregressive_chains(4, 5000, correlation);
    const double expected = 20000.0 * (1.0 - correlation) / (1.0 + correlation);
    EXPECT_NEAR(effective_sample_size(chains) / expected, 1.0, 0.12) << correlation;
    EXPECT_NEAR(diagnose_chains(chains).ess_bulk / expected, 1.0, 0.12) << correlation;
    EXPECT_LT(diagnose_chains(chains).r_hat, correlation == 0.9 ? 1.02 : 1.005) << correlation;
  }
}

TEST(ChainDiagnostics, SeeChainsThatDifferInLocationOrScale) {
  Chains shifted = autoregressive_chains(4, 1000, 0.0);
  for (double& value : shifted[2]) value += 1.0;
  EXPECT_GT(diagnose_chains(shifted).r_hat, 1.08);
  EXPECT_LT(diagnose_chains(shifted).ess_bulk, 100.0);
  Chains wider = autoregressive_chains(4, 1000, 0.0);
  for (double& value : wider[1]) value *= 3.0;
  EXPECT_LT(split_r_hat(wider), 1.01);
  EXPECT_GT(diagnose_chains(wider).r_hat, 1.05);
}

TEST(ChainDiagnostics, RanksAloneMatterForRHatAndBulk) {
  const Chains chains = autoregressive_chains(4, 500, 0.3);
  Chains transformed = chains;
  for (auto& chain : transformed) {
    for (double& value : chain) value = 5.0 + 3.0 * value;
  }
  EXPECT_NEAR(diagnose_chains(chains).r_hat, diagnose_chains(transformed).r_hat, 1e-12);
  for (auto& chain : transformed) {
    for (double& value : chain) value = std::exp(value);
  }
  EXPECT_NEAR(diagnose_chains(chains).ess_bulk, diagnose_chains(transformed).ess_bulk, 1e-9);
  EXPECT_NEAR(diagnose_chains(chains).ess_tail, diagnose_chains(transformed).ess_tail, 1e-9);
}

TEST(ChainDiagnostics, AreNaNWithoutAnAnswer) {
  const double nan = std::nan("");
  for (const Chains& chains :
       {Chains{}, Chains{{1, 2, 3}}, Chains{{1, 1, 1, 1}, {1, 1, 1, 1}},
        Chains{{1, 2, nan, 4}, {1, 2, 3, 4}}, Chains{{1, 2, 3, 4}, {1, 2, 3, INFINITY}}}) {
    const ChainDiagnostics found = diagnose_chains(chains);
    EXPECT_TRUE(std::isnan(found.r_hat));
    EXPECT_TRUE(std::isnan(found.ess_bulk));
    EXPECT_TRUE(std::isnan(found.ess_tail));
    EXPECT_TRUE(std::isnan(found.mcse_mean));
  }
  // Each chain is stuck at a place of its own.
  const ChainDiagnostics stuck = diagnose_chains(Chains{{1, 1, 1, 1}, {2, 2, 2, 2}});
  EXPECT_FALSE(stuck.r_hat < 1.5);
  EXPECT_FALSE(stuck.ess_bulk > 8.0);
}

TEST(ChainDiagnostics, WorstParameterCounts) {
  SampledChains chains{.max_tree_depth = 3};
  chains.diagnostics = {{1.01, 900, 500, 0.1}, {1.02, 400, 800, 0.1}};
  chains.statistics = {{.tree_depth = 3}, {.tree_depth = 2, .divergent = true}, {.tree_depth = 3}};
  EXPECT_EQ(chains.largest_r_hat(), 1.02);
  EXPECT_EQ(chains.smallest_ess(), 400);
  EXPECT_EQ(chains.divergences(), 1);
  EXPECT_EQ(chains.saturations(), 2);
  chains.diagnostics.push_back({std::nan(""), std::nan(""), 1, 1});
  EXPECT_TRUE(std::isnan(chains.largest_r_hat()));
  EXPECT_TRUE(std::isnan(chains.smallest_ess()));
}

}  // namespace
}  // namespace dpvi
