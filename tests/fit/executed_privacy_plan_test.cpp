#include <gtest/gtest.h>

#include <cmath>

#include <dpvi/base/error.hpp>
#include <dpvi/family/make_family.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/executed_privacy_plan.hpp>

namespace dpvi {
namespace {

PrivacyPlan plan_of(GaussianRun run) {
  PrivacyPlan plan;
  plan.run = std::move(run);
  return plan;
}

// Guarantee: the sampling rates, noise multipliers and step counts of the plan are those of the
// releases that the run made. A difference in the last bit of one of them is refused.
TEST(ExecutedPrivacyPlan, APlanThatDidNotRunIsRefused) {
  const GaussianRun ran = {{0.25, 2.0, 30}, {0.5, 4.0, 20}};
  const LoopOutcome outcome = run_without_records(ran);
  EXPECT_EQ(ExecutedPrivacyPlan(plan_of(ran), outcome).plan().run, ran);

  const auto refused = [&](const GaussianRun& run) {
    EXPECT_THROW(ExecutedPrivacyPlan(plan_of(run), outcome), InternalError);
  };
  refused({});
  refused({{0.25, 2.0, 30}});
  refused({{0.25, 2.0, 29}, {0.5, 4.0, 20}});
  refused({{0.25, 2.0, 30}, {0.5, 4.0, 21}});
  refused({{0.5, 4.0, 20}, {0.25, 2.0, 30}});
  refused({{0.25, 2.0, 30}, {0.5, 4.0, 20}, {0.5, 8.0, 1}});
  refused({{std::nextafter(0.25, 0.0), 2.0, 30}, {0.5, 4.0, 20}});
  refused({{0.25, std::nextafter(2.0, 3.0), 30}, {0.5, 4.0, 20}});
}

TEST(ExecutedPrivacyPlan, PhasesThatDifferInNothingAreOne) {
  const LoopOutcome outcome = run_without_records({{0.25, 2.0, 10}, {0.25, 2.0, 5}});
  const GaussianRun joined = {{0.25, 2.0, 15}};
  EXPECT_EQ(outcome.releases.run(), joined);
  EXPECT_EQ(ExecutedPrivacyPlan(plan_of(joined), outcome).plan().run, joined);
  EXPECT_NO_THROW(
      ExecutedPrivacyPlan(plan_of({{0.25, 2.0, 12}, {0.5, 1.0, 0}, {0.25, 2.0, 3}}), outcome));
}

TEST(ExecutedPrivacyPlan, ARunThatWasStoppedIsNotItsPlan) {
  const RecordModel model = bind_program(kMeanProgram).model;
  const RecordTable none(1, 0);
  RecordGradients gradients(model.tape(), none, 1);
  const LoopOutcome stopped = run_private_loop(
      {.phases = {{SamplingRate::from_double(0.25), NoiseGrid(2.0), 30}}, .clip = {}},
      {&model.prior(), &gradients, model.used_by_records()},
      *make_family(FamilyKind::mean_field, 1), {Coordinates::identity(1), 0.02},
      [](std::int64_t done, const Released&) { return done < 7; });
  EXPECT_EQ(error_text<InternalError>([&] {
              ExecutedPrivacyPlan(plan_of({{0.25, 2.0, 30}}), stopped);
            }),
            "error[DP902] the run does not match its plan, which has 30 steps at sampling rate "
            "0.25 and noise multiplier 2; the run took 7 steps at sampling rate 0.25 and noise "
            "multiplier 2. "
            "Nothing was written; count the plan's budget as spent, and please report this.");
}

TEST(ExecutedPrivacyPlan, AnotherResultIsRefused) {
  const PrivacyPlan plan = plan_of({{0.25, 2.0, 3}});
  const ExecutedPrivacyPlan ran = executed(plan, {0.5, std::nan("")});
  EXPECT_NO_THROW(ran.require_result(std::vector{0.5, std::nan("")}));
  EXPECT_THROW(ran.require_result(std::vector{0.5, 0.5}), InternalError);
  EXPECT_THROW(ran.require_result(std::vector{0.5}), InternalError);
  EXPECT_THROW(ran.require_result(std::vector{std::nextafter(0.5, 1.0), std::nan("")}),
               InternalError);
}

}  // namespace
}  // namespace dpvi
