#include <gtest/gtest.h>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

TEST(Error, LineShowsCodePlaceMessageAndNextStep) {
  const UsageError error(kValueOutsideRule, "--epsilon is -1; it must be positive.", "Try 1.",
                         {"fit.toml", 3, 9});
  EXPECT_STREQ(error.what(),
               "error[DP102] fit.toml:3:9: --epsilon is -1; it must be positive. Try 1.");
}

TEST(Error, PlaceIsLeftOutWhereUnknown) {
  EXPECT_STREQ(UsageError(kUnknownFlag, "m.", "").what(), "error[DP101] m.");
  EXPECT_STREQ(UsageError(kUnknownFlag, "m.", "h.", {"f", 2, 0}).what(), "error[DP101] f:2: m. h.");
}

TEST(Error, TypeAndKindCannotDisagree) {
  try {
    throw UsageError(kInternal, "m", "h");
  } catch (const Error& error) {
    EXPECT_EQ(error.code().id, kInternal.id);
    EXPECT_EQ(error.message(), "error code of another kind");
  }
}

}  // namespace
}  // namespace dpvi
