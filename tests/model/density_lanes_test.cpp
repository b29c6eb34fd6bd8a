#include <gtest/gtest.h>

#include <tests/model/density_call.hpp>
#include <tests/tape/tape_runner.hpp>

namespace dpvi {
namespace {

TestRecord copy_of(RecordValues record) {
  return {{record.reals.begin(), record.reals.end()}, {record.ints.begin(), record.ints.end()}};
}

// At their limits densities use masks and infinities, which lanes must treat as the reference does.
void expect_lanes_agree(const nlohmann::json& golden, Places places, BackendKind backend) {
  const DensityCall call(golden, places);
  const std::string what = golden.dump();
  const ReferenceGradient expected = call.at(call.theta());
  TapeRunner runner(call.graph(), call.root(), static_cast<std::int32_t>(call.theta().size()),
                    backend);
  const LaneResults results = runner.run(call.theta(), {copy_of(call.record())});
  expect_close(results.log_density[0], expected.value, 1e-11, what);
  for (std::size_t i = 0; i < call.theta().size(); ++i) {
    expect_close(results.gradient[i * kLanes], expected.gradient[i], 1e-10, what);
  }
}

TEST(DensityLanes, ValuesAndGradientsAreTheReferences) {
  const nlohmann::json goldens = golden_cases("densities.json");
  for (const BackendKind backend : available_backends()) {
    for (const auto& golden : goldens) {
      expect_lanes_agree(golden, Places::data_recorded, backend);
      expect_lanes_agree(golden, Places::all_lane, backend);
    }
  }
}

}  // namespace
}  // namespace dpvi
