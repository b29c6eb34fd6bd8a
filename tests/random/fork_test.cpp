#include <gtest/gtest.h>

#include <dpvi/random/secure_generator.hpp>
#include <tests/random/child_process.hpp>
#include <tests/support/fixed_key_generator.hpp>

namespace dpvi {
namespace {

constexpr int kFailedClosed = 70;
constexpr StreamAddress kAddress{StreamLabel::noise, 1, 2};

// A handler detects a fork by the library call, a wiped page one by the bare system call.
class Fork : public testing::TestWithParam<ForkBy> {};
INSTANTIATE_TEST_SUITE_P(EveryWay, Fork,
                         testing::Values(ForkBy::library_call, ForkBy::system_call));

// Guarantee: after fork() a child never sees a word of its parent's streams; using one ends the
// child.
TEST_P(Fork, ChildNeverSeesAWordItsParentHasBuffered) {
  const SecureGenerator generator = FixedKeyForTests::generator(1);
  SecureStream stream = generator.stream(kAddress);
  stream.next();
  const ChildResult child = in_child(GetParam(), [&](auto report) { report(stream.next()); });
  EXPECT_EQ(child.exit_code, kFailedClosed);
  EXPECT_TRUE(child.words.empty());
}

// Guarantee: after fork() a child never sees a word of its parent's streams; using one ends the
// child.
TEST_P(Fork, ChildCannotFillFromItsParentsStream) {
  const SecureGenerator generator = FixedKeyForTests::generator(1);
  SecureStream stream = generator.stream(kAddress);
  const ChildResult child = in_child(GetParam(), [&](auto report) {
    std::vector<std::uint64_t> words(10);
    stream.fill(words);
    report(words[0]);
  });
  EXPECT_EQ(child.exit_code, kFailedClosed);
  EXPECT_TRUE(child.words.empty());
}

// Guarantee: after fork() a child never sees a word of its parent's streams; using one ends the
// child.
TEST_P(Fork, ChildCannotStartAStreamOfItsParentsGenerator) {
  const SecureGenerator generator = FixedKeyForTests::generator(1);
  const ChildResult child =
      in_child(GetParam(), [&](auto report) { report(generator.stream(kAddress).next()); });
  EXPECT_EQ(child.exit_code, kFailedClosed);
  EXPECT_TRUE(child.words.empty());
}

TEST_P(Fork, ChildMayMakeAGeneratorOfItsOwnAndStillNotUseItsParents) {
  const SecureGenerator parents;
  const ChildResult child = in_child(GetParam(), [&](auto report) {
    const SecureGenerator own;
    report(own.stream(kAddress).next());
    report(parents.stream(kAddress).next());
  });
  EXPECT_EQ(child.exit_code, kFailedClosed);
  ASSERT_EQ(child.words.size(), 1U);
  EXPECT_NE(child.words[0], parents.stream(kAddress).next());
}

TEST_P(Fork, GrandchildCannotUseItsParents) {
  const ChildResult child = in_child(GetParam(), [&](auto report) {
    const SecureGenerator own;
    const ChildResult grandchild =
        in_child(GetParam(), [&](auto report_up) { report_up(own.stream(kAddress).next()); });
    report(static_cast<std::uint64_t>(grandchild.exit_code));
    report(grandchild.words.size());
    report(own.stream(kAddress).next());
  });
  EXPECT_EQ(child.exit_code, 0);
  ASSERT_EQ(child.words.size(), 3U);
  EXPECT_EQ(child.words[0], std::uint64_t{kFailedClosed});
  EXPECT_EQ(child.words[1], 0U);
}

TEST_P(Fork, ParentGoesOnUnchanged) {
  const SecureGenerator generator = FixedKeyForTests::generator(1);
  SecureStream undisturbed = generator.stream(kAddress);
  SecureStream stream = generator.stream(kAddress);
  EXPECT_EQ(stream.next(), undisturbed.next());
  in_child(GetParam(), [&](auto) { stream.next(); });
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(stream.next(), undisturbed.next());
}

}  // namespace
}  // namespace dpvi
