#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <dpvi/tape/record_tape.hpp>
#include <tests/tape/random_graph.hpp>
#include <tests/tape/tape_runner.hpp>

namespace dpvi {
namespace {

TEST(RecordTape, AgreesWithReferenceOnRandomGraphs) {
  int finite = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomGraph random(seed);
    const NodeId root = random.scalar_root(12);
    const Graph& graph = random.builder().graph();
    std::mt19937_64 values(seed + 1000);
    const std::vector<double> theta = random_reals(values, kRandomTheta);
    const std::vector<TestRecord> records = random_records(values, kLanes);
    for (const InstructionSet set : available_sets()) {
      TapeRunner runner(graph, root, kRandomTheta, set);
      const LaneResults results = runner.run(theta, records);
      for (std::size_t l = 0; l < records.size(); ++l) {
        const ReferenceGradient expected =
            reference_gradient(graph, root, theta, records[l].values());
        ASSERT_TRUE(close(results.log_density[l], expected.value)) << "seed " << seed;
        finite += std::isfinite(expected.value) ? 1 : 0;
        for (std::size_t j = 0; j < theta.size(); ++j) {
          ASSERT_TRUE(close(results.gradient[j * kLanes + l], expected.gradient[j]))
              << "seed " << seed << " lane " << l << " parameter " << j << ": "
              << results.gradient[j * kLanes + l] << " against " << expected.gradient[j];
        }
      }
    }
  }
  EXPECT_GT(finite, 3000);
}

}  // namespace
}  // namespace dpvi
