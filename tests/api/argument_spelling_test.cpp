#include <gtest/gtest.h>

#include <dpvi/api/argument_spelling.hpp>

namespace dpvi {
namespace {

TEST(ArgumentSpelling, FlagsAreSpelledAsArguments) {
  EXPECT_EQ(spelled_as_arguments("Give --epsilon or --noise-multiplier; the other is computed."),
            "Give epsilon or noise_multiplier; the other is computed.");
  EXPECT_EQ(spelled_as_arguments("--laplace needs more (--outcome)."),
            "laplace needs more (outcome).");
  EXPECT_EQ(spelled_as_arguments("Give --sampling-rate 1"), "Give sampling_rate 1");
}

TEST(ArgumentSpelling, EverythingElseStays) {
  for (const char* text :
       {"", "--", "a -- b", "x = a--b", "--2", "a low-rank family", "/data/--out-1/x",
        "Make it: dpvi budget l init --epsilon E --data-version V."}) {
    EXPECT_EQ(spelled_as_arguments(text), text);
  }
}

}  // namespace
}  // namespace dpvi
