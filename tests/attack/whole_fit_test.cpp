#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/fit/train/private_fit.hpp>
#include <tests/support/attacked_loop.hpp>

namespace dpvi {
namespace {

// Guarantee: all iterates together cost what an accountant computes for the plan's phases of
// Poisson-sampled Gaussian steps.
// Runs a fit from its request to its claim. A claim exists only if the run's releases match the
// plan. The keys come from the kernel; with this many records no batch is empty.
TEST(WholeFit, RunsWhatItsPlanSays) {
  const AttackedLoop loop(3);
  PrivacyPlanRequest request;
  request.delta = 1e-6;
  request.phases = {{0.2, 2.0, 30}, {0.1, 1.5, 20}};
  const PrivateFitPlan plan = plan_private_fit(loop.model(), make_privacy_plan(request), {});
  const FittedPosterior fitted =
      fit_privately(open_records(plan,
                                 [](PreparedRecords& records) {
                                   for (int i = 0; i < 50; ++i)
                                     records.append(std::vector{1.0, 0.5, -2.0}, {});
                                 }),
                    {}, [](std::int64_t, std::int64_t) { return true; });
  ASSERT_TRUE(fitted.privacy.has_value());
  EXPECT_EQ(fitted.privacy->plan().run, plan.privacy().run);
  EXPECT_NO_THROW(fitted.privacy->require_result(fitted.family_parameters));
}

TEST(WholeFit, ThatIsStoppedMakesNoClaim) {
  const AttackedLoop loop(3);
  PrivacyPlanRequest request;
  request.delta = 1e-6;
  request.phases = {{0.2, 2.0, 30}};
  const PrivateFitPlan plan = plan_private_fit(loop.model(), make_privacy_plan(request), {});
  const FittedPosterior fitted =
      fit_privately(open_records(plan, [](PreparedRecords&) {}), {},
                    [](std::int64_t done, std::int64_t) { return done < 7; });
  EXPECT_FALSE(fitted.completed);
  EXPECT_FALSE(fitted.privacy.has_value());
}

}  // namespace
}  // namespace dpvi
