#include <gtest/gtest.h>

#include <dpvi/fit/train/clip_bound_path.hpp>
#include <tests/support/attacked_loop.hpp>

namespace dpvi {
namespace {

// Guarantee: the bound is a function of the plan and of earlier releases. A path that sees only the
// plan and the releases of a run finds every bound of that run, whatever the records are.
TEST(ClipBoundPath, IsAFunctionOfThePlanAndOfEarlierReleases) {
  const AttackedLoop loop(2);
  for (const Gradients& records :
       {Gradients{}, Gradients(50, {1e-3, 0.0}), Gradients(50, {1e3, -1e3})}) {
    for (const bool adapts : {false, true}) {
      AttackedRun run{.sampling_rate = 0.5, .grid = NoiseGrid(2.0), .steps = 40};
      if (adapts) run.coordinate = {.size = 0.15, .unshortened_share = 0.9};
      const LoopPlan plan = AttackedLoop::plan_of(run);
      ClipBoundPath path(plan);
      path.start(plan.phases[0]);
      loop.run(loop.table(records), run, [&](std::int64_t, const Released& released) {
        EXPECT_EQ(released.origin().clip_bound, path.value());
        path.follow(released);
        return true;
      });
      EXPECT_EQ(path.value() != run.clip_bound, adapts);
    }
  }
}

}  // namespace
}  // namespace dpvi
