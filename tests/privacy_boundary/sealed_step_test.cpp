#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <dpvi/privacy/sealed_step.hpp>
#include <tests/support/some_direction.hpp>

namespace dpvi {
namespace {

constexpr StepSeal::Key kKey = {1, 2, 3};

RecordedStep some_step() { return {{0.25, -1.0}, {3.5}, some_release()}; }

TEST(SealedStep, OpensToWhatWasSealed) {
  const StepSeal seal(kKey);
  const RecordedStep step = some_step();
  const auto opened = seal.open(seal.seal(step, 7, "before"), 7, "before");
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->draw, step.draw);
  EXPECT_EQ(opened->theta, step.theta);
  EXPECT_EQ(opened->released.origin(), step.released.origin());
  EXPECT_TRUE(std::ranges::equal(opened->released.values(), step.released.values()));
}

// Guarantee: only what was sealed under the same key can be opened.
TEST(SealedStep, OnlyWhatWasSealedUnderTheSameKeyCanBeOpened) {
  const StepSeal seal(kKey);
  const std::string sealed = seal.seal(some_step(), 7, "before");
  EXPECT_FALSE(StepSeal({1, 2, 4}).open(sealed, 7, "before"));
  EXPECT_FALSE(seal.open(sealed, 8, "before"));
  EXPECT_FALSE(seal.open(sealed, 7, "other"));
  EXPECT_FALSE(seal.open("", 7, "before"));
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    EXPECT_FALSE(seal.open(changed, 7, "before")) << i;
    EXPECT_FALSE(seal.open(sealed.substr(0, i), 7, "before")) << i;
  }
}

TEST(SealedStep, ShowsNoValue) {
  const RecordedStep step = some_step();
  const std::string sealed = StepSeal(kKey).seal(step, 0, "");
  for (const double value : step.draw) {
    const std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
    EXPECT_EQ(sealed.find(bytes), std::string::npos);
  }
}

}  // namespace
}  // namespace dpvi
