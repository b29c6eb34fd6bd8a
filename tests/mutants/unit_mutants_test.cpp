#include <gtest/gtest.h>

#include <tests/support/unit_sums.hpp>

namespace dpvi {
namespace {

TEST(RealUnitSum, MeetsNoObjection) {
  EXPECT_EQ(object_to_unit_sensitivity(UnitMutation::none), "");
  EXPECT_EQ(object_to_unit_substitution(UnitMutation::none), "");
}

TEST(UnitMutant, ClippingRowsInsteadOfTheirSumIsCaught) {
  EXPECT_EQ(object_to_unit_sensitivity(UnitMutation::clip_per_row),
            "a unit moves the sum by more than the bound");
}

TEST(UnitMutant, RowsThatAUnitDoesNotHaveAreCaught) {
  EXPECT_EQ(object_to_unit_sensitivity(UnitMutation::unmasked_lanes),
            "a unit's part in the sum depends on other units");
  EXPECT_EQ(object_to_unit_substitution(UnitMutation::unmasked_lanes),
            "a replaced unit moves the sum by something else than its own vectors");
}

TEST(UnitMutant, WeighingUnitsByTheWholeTableIsCaught) {
  EXPECT_NE(object_to_unit_sensitivity(UnitMutation::mean_of_table), "");
  EXPECT_NE(object_to_unit_substitution(UnitMutation::mean_of_table), "");
}

}  // namespace
}  // namespace dpvi
