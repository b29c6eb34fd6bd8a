#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/fit/plan/privacy_plan.hpp>
#include <dpvi/privacy/analytic_gaussian.hpp>
#include <dpvi/privacy/noise_grid.hpp>
#include <dpvi/privacy/pld.hpp>
#include <dpvi/random/sampling_rate.hpp>

namespace dpvi {
namespace {

// One request for each number that can be solved for, and two with phases. No rate below 1 and no
// noise multiplier lies on the grid.
std::vector<PrivacyPlanRequest> requests(double sampling_rate, double noise_multiplier) {
  PrivacyPlanRequest all;
  all.epsilon = 1.1;
  all.delta = 1e-6;
  all.noise_multiplier = noise_multiplier;
  all.steps = 50;
  all.sampling_rate = sampling_rate;
  std::vector<PrivacyPlanRequest> list(4, all);
  list[0].epsilon.reset();
  list[1].delta.reset();
  list[2].noise_multiplier.reset();
  list[3].steps.reset();
  PrivacyPlanRequest phases;
  phases.delta = 1e-6;
  phases.phases = {{sampling_rate, noise_multiplier, 20},
                   {sampling_rate, 1.3 * noise_multiplier, 30}};
  list.push_back(phases);
  phases.epsilon = 1.1;
  list.push_back(phases);
  return list;
}

std::vector<PrivacyPlan> plans(Accountant solver, double sampling_rate, double noise_multiplier) {
  std::vector<PrivacyPlan> made;
  for (PrivacyPlanRequest& request : requests(sampling_rate, noise_multiplier)) {
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::substitute}) {
      request.adjacency = adjacency;
      request.accountants = {solver};
      made.push_back(make_privacy_plan(request));
    }
  }
  return made;
}

// Guarantee: the run is (epsilon, delta)-differentially private under the plan's adjacency, for
// exactly the stated noise multipliers and sampling rates. The certified lower end of delta would
// refute the claim.
TEST(PrivacyPlan, RunIsPrivateForExactlyTheStatedNoiseMultipliersAndSamplingRates) {
  for (const PrivacyPlan& plan : plans(Accountant::pld, 0.0123, 1.7)) {
    EXPECT_LE(pld_delta(plan.run, plan.adjacency, plan.epsilon).lower, plan.delta);
    for (const GaussianPhase& phase : plan.run) {
      EXPECT_EQ(NoiseGrid(phase.noise_multiplier).noise_multiplier(), phase.noise_multiplier);
      EXPECT_EQ(SamplingRate::from_double(phase.sampling_rate).value(), phase.sampling_rate);
    }
  }
}

// Without sampling, the exact delta has a closed form: the squared shifts of the releases add up.
TEST(PrivacyPlan, RunWithoutSamplingIsPrivateByTheClosedForm) {
  constexpr double kRounding = 1e-14;  // of the sum, relative
  for (const Accountant solver : {Accountant::pld, Accountant::rdp}) {
    for (const PrivacyPlan& plan : plans(solver, 1.0, 21.3)) {
      const double sensitivity = plan.adjacency == Adjacency::substitute ? 2.0 : 1.0;
      double squares = 0.0;
      for (const GaussianPhase& phase : plan.run) {
        const double shift = sensitivity / phase.noise_multiplier;
        squares += static_cast<double>(phase.steps) * shift * shift;
      }
      const double least_shift = std::sqrt(squares) * (1.0 - kRounding);
      EXPECT_LE(analytic_gaussian_delta(least_shift, plan.epsilon).lower, plan.delta);
    }
  }
}

}  // namespace
}  // namespace dpvi
