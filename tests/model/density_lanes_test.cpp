#include <gtest/gtest.h>

#include <tests/model/density_call.hpp>
#include <tests/tape/tape_runner.hpp>

namespace dpvi {
namespace {

TestRecord copy_of(RecordValues record) {
  return {{record.reals.begin(), record.reals.end()}, {record.ints.begin(), record.ints.end()}};
}

// At their limits densities use masks and infinities, which lanes must treat as the reference does.
void expect_lanes_agree(const nlohmann::json& golden, Places places, InstructionSet set) {
  const DensityCall call(golden, places);
  const std::string what = golden.dump();
  const ReferenceGradient expected = call.at(call.theta());
  TapeRunner runner(call.graph(), call.root(), static_cast<std::int32_t>(call.theta().size()), set);
  const LaneResults results = runner.run(call.theta(), {copy_of(call.record())});
  expect_close(results.log_density[0], expected.value, 1e-11, what);
  for (std::size_t i = 0; i < call.theta().size(); ++i) {
    expect_close(results.gradient[i * kLanes], expected.gradient[i], 1e-10, what);
  }
}

TEST(DensityLanes, ValuesAndGradientsAreTheReferences) {
  const nlohmann::json goldens = golden_cases("densities.json");
  for (const InstructionSet set : available_sets()) {
    for (const auto& golden : goldens) {
      expect_lanes_agree(golden, Places::data_recorded, set);
      expect_lanes_agree(golden, Places::all_lane, set);
    }
  }
}

}  // namespace
}  // namespace dpvi
