#include <functional>
#include <string>

#include <gtest/gtest.h>

#include <tests/support/falsify.hpp>

namespace dpvi {
namespace {

// A check that no mutant fails proves nothing: each mutation must meet the objection meant for it,
// and the unmutated step must meet none.

constexpr ClipCoordinate kCoordinates[] = {{.15, .97}, {.15, .7}, {.5, .5}};

TEST(RealStep, MeetsNoObjection) {
  EXPECT_EQ(object_to_sensitivity(Mutation::none), "");
  EXPECT_EQ(object_to_order(Mutation::none), "");
  EXPECT_EQ(object_to_dropped_records(Mutation::none), "");
  EXPECT_EQ(object_to_noise(Mutation::none), "");
  EXPECT_EQ(object_to_batches(Mutation::none), "");
  for (const ClipCoordinate& coordinate : kCoordinates) {
    EXPECT_EQ(object_to_sensitivity(Mutation::none, coordinate), "");
    EXPECT_EQ(object_to_zeroed_records(Mutation::none, coordinate), "");
  }
}

TEST(Mutant, NoiseTimesPointNineIsCaught) {
  EXPECT_EQ(object_to_noise(Mutation::noise_times_09),
            "the noise of a step without records is not of the stated size");
}

TEST(Mutant, NoiseOncePerThreadIsCaught) {
  EXPECT_EQ(object_to_noise(Mutation::noise_per_part),
            "the noise of a step without records is not of the stated size");
}

TEST(Mutant, ReusedStreamIsCaught) {
  EXPECT_EQ(object_to_noise(Mutation::reused_stream), "the noise of two steps is correlated");
}

TEST(Mutant, SkippedEmptyBatchIsCaught) {
  EXPECT_EQ(object_to_noise(Mutation::skipped_empty_batch),
            "the noise of a step without records is not of the stated size");
}

TEST(Mutant, ClipAfterTheSumIsCaught) {
  EXPECT_EQ(object_to_sensitivity(Mutation::clip_after_sum),
            "a record moves the sum by more than the bound");
}

TEST(Mutant, MeanByTheRealisedBatchIsCaught) {
  EXPECT_EQ(object_to_sensitivity(Mutation::mean_by_batch),
            "a record moves the sum by more than the bound");
}

TEST(Mutant, FloatingPointSumIsCaught) {
  EXPECT_EQ(object_to_order(Mutation::floating_point_sum),
            "the sum depends on the order of the records or the number of parts");
  EXPECT_NE(object_to_sensitivity(Mutation::floating_point_sum), "");
}

TEST(Mutant, RateOffByOneRecordIsCaught) {
  EXPECT_EQ(object_to_batches(Mutation::rate_plus_one_record),
            "records are not sampled at the stated rate");
}

TEST(Mutant, TruncatedIntegerCheckIsCaught) {
  EXPECT_EQ(object_to_sensitivity(Mutation::truncated_check),
            "a record moves the sum by more than the bound");
}

TEST(Mutant, ClipCoordinateBesideTheBoundIsCaught) {
  for (const ClipCoordinate& coordinate : kCoordinates) {
    EXPECT_EQ(object_to_sensitivity(Mutation::mark_on_top, coordinate),
              "a record moves the sum by more than the bound");
  }
}

TEST(Mutant, ClipCoordinateOfAZeroedRecordIsCaught) {
  for (const ClipCoordinate& coordinate : kCoordinates) {
    EXPECT_EQ(object_to_zeroed_records(Mutation::mark_on_zeroed, coordinate),
              "a record that counts as zero moves the sum");
  }
}

TEST(Mutant, RemovedRescueIsCaught) {
  EXPECT_EQ(object_to_dropped_records(Mutation::no_rescue), "a finite record is dropped");
}

}  // namespace
}  // namespace dpvi
