#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <dpvi/family/make_family.hpp>
#include <dpvi/fit/train/fit_result.hpp>
#include <tests/support/executed_privacy_plan.hpp>

namespace dpvi {

// A result with a variable of every shape, whose values encode their positions. Value j of draw i
// is i + 1000 j + 1/8, and value j of the location row is 1000 j + 1/2. Its parts of the standard
// deviation are j + 1/2 and j + 1/4.
inline double example_value(std::size_t draw, std::size_t column) {
  return static_cast<double>(draw) + 1000.0 * static_cast<double>(column) + 0.125;
}
inline double example_location(std::size_t column) {
  return 1000.0 * static_cast<double>(column) + 0.5;
}

inline std::vector<OutputVariable> example_outputs() {
  return {{"alpha", {}}, {"beta", {3}}, {"Sigma", {2, 3}}, {"empty", {0}}, {"z", {2, 2, 2}}};
}
inline constexpr std::size_t kExampleColumns = 1 + 3 + 6 + 0 + 8;

inline PrivacyPlan example_plan() {
  PrivacyPlan plan;
  plan.adjacency = Adjacency::substitute;
  plan.run = {{0.125, 64.0, 250}};  // costs less than epsilon
  plan.epsilon = 1.0 / 3.0;
  plan.delta = 1e-6;
  plan.epsilon_substitute = plan.epsilon;
  plan.epsilon_add_remove = 0.2;
  AccountantReport report;
  report.epsilon = plan.epsilon;
  report.epsilon_ends = Bracket{0.2, plan.epsilon};
  plan.accountants = {{Accountant::pld, report}};
  return plan;
}

inline std::vector<double> example_part(PartShape shape) {
  switch (shape) {
    case PartShape::scales:
      return {0.5, 1.5};
    case PartShape::triangle:
      return {0.5, 0.0, 0.25, 1.5};
    case PartShape::columns:
      break;
  }
  return {0.75, -0.125};
}

inline FitResult example_result(FamilyKind kind = FamilyKind::mean_field,
                                std::size_t draw_count = 40) {
  const SharedFamily family = make_family(kind, 2, 1);
  const std::vector<double> location = {0.1, -2.0 / 3.0};
  std::vector<std::vector<double>> parts;
  for (const FactorPart& part : family->description().parts) {
    parts.push_back(example_part(part.shape));
  }
  FitResult result{
      .model_name = "my model=v1.2",
      .model_text = "parameters { real alpha; }\n",
      .schema_text = "[table]\nrows = 100\n",
      .started_at = "2026-01-02 03:04:05",
      .fitted = {family, family->parameters(location, parts)},
      .location_noise = LocationNoise::of_factor({0.05, 0.0, 0.03, 0.04}, 2),
      .total = {},
      .unconstrained_names = {"alpha", "beta.1"},
      .outputs = example_outputs(),
      .at_location = {},
      .draws = {},
      .log_density = {},
      .sd_model = {},
      .sd_privacy = {},
      .privacy = {},
      .loop = {.clip_bound = 2.5,
               .phase_clip_bounds = {},
               .learning_rate = 0.05,
               .averaged_share = 0.25},
      .trace = {.optimisation = Optimisation::stationary,
                .r_hat = {1.01, 1.02},
                .effective_size = {50.0, 60.0},
                .mean_sd = {0.05, 0.05},
                .drift = {0.0, 0.01}},
      .evidence = {},
      .verdict = {FitStatus::weak,
                  {{FitStatus::weak, "the answer is little more than the prior", {"alpha"}}}},
      .public_facts = {"The table has about 100 rows.", "K is 3."},
      .dropped_quantities = {"y_rep"}};
  result.total = with_noise(result.fitted, result.location_noise);
  result.privacy = executed(example_plan(), result.fitted.parameters);
  for (std::size_t j = 0; j < kExampleColumns; ++j) {
    result.at_location.push_back(example_location(j));
    result.sd_model.push_back(0.5 + static_cast<double>(j));
    result.sd_privacy.push_back(0.25 + static_cast<double>(j));
  }
  for (std::size_t i = 0; i < draw_count; ++i) {
    result.draws.emplace_back();
    for (std::size_t j = 0; j < kExampleColumns; ++j) {
      result.draws.back().push_back(example_value(i, j));
    }
    result.log_density.push_back(-static_cast<double>(i) - 0.75);
  }
  return result;
}

// The example as two Markov chains of 20 draws. Draw i has log density -i - 1/4 and a trajectory of
// i + 1 steps; draw 3 diverged.
inline FitResult sampled_example() {
  FitResult result = example_result(FamilyKind::full_rank);
  SampledChains sampled{.chains = 2,
                        .draws_per_chain = 20,
                        .warmup = 500,
                        .thin = 3,
                        .target_acceptance = 0.9,
                        .max_tree_depth = 5};
  for (std::size_t i = 0; i < result.draws.size(); ++i) {
    sampled.statistics.push_back({.log_density = -static_cast<double>(i) - 0.25,
                                  .acceptance = 0.875,
                                  .step_size = i < 20 ? 0.5 : 0.75,
                                  .tree_depth = i < 31 ? 4 : 5,
                                  .leapfrog_steps = static_cast<int>(i) + 1,
                                  .divergent = i == 3,
                                  .energy = static_cast<double>(i) + 2.0});
  }
  sampled.diagnostics = {{1.01, 30.0, 25.0, 0.5}, {1.02, 28.0, 35.0, 0.25}};
  result.sampled = std::move(sampled);
  return result;
}

inline FitResult unprotected_example() {
  FitResult result = example_result();
  result.privacy.reset();
  return result;
}

}  // namespace dpvi
