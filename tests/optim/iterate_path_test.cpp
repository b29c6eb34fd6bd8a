#include <gtest/gtest.h>

#include <vector>

#include <dpvi/optim/iterate_path.hpp>

namespace dpvi {
namespace {

IteratePath path_of(std::int64_t steps, std::size_t size) {
  IteratePath path(steps, size);
  for (std::int64_t step = 1; step <= steps; ++step) {
    path.add(step, std::vector<double>(size, static_cast<double>(step)));
  }
  return path;
}

TEST(IteratePath, KeepsEvenlySpacedStepsUpToTheLast) {
  const IteratePath path = path_of(1000, 3);
  ASSERT_EQ(path.steps().size(), IteratePath::kMostPoints);
  for (std::size_t i = 0; i < path.steps().size(); ++i) {
    EXPECT_EQ(path.steps()[i], static_cast<std::int64_t>(5 * (i + 1)));
    EXPECT_EQ(path.iterates()[i], std::vector<double>(3, static_cast<double>(path.steps()[i])));
  }
}

TEST(IteratePath, AShortRunIsKeptWhole) {
  EXPECT_EQ(path_of(7, 2).steps(), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_TRUE(path_of(0, 2).steps().empty());
}

TEST(IteratePath, ManyParametersHaveFewPoints) {
  EXPECT_EQ(path_of(500, 500).steps().size(), 20U);
  EXPECT_EQ(path_of(500, 500).steps().back(), 500);
  EXPECT_TRUE(path_of(500, 500).parameters().empty());
}

TEST(IteratePath, OfVeryManyParametersSomeAreKept) {
  const IteratePath path = path_of(500, 5000);
  ASSERT_EQ(path.steps().size(), IteratePath::kMostPoints);
  ASSERT_EQ(path.parameters().size(), 50U);
  EXPECT_EQ(path.parameters()[1], 100U);
  EXPECT_EQ(path.iterates().back().size(), 50U);
}

}  // namespace
}  // namespace dpvi
