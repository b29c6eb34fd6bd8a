#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include <dpvi/base/thread_team.hpp>

namespace dpvi {
namespace {

TEST(ThreadTeam, EveryWorkerDoesEveryJobOnce) {
  for (const int workers : {1, 2, 3, 7}) {
    ThreadTeam team(workers);
    ASSERT_EQ(team.size(), workers);
    std::vector<int> calls(static_cast<std::size_t>(workers), 0);
    for (int job = 0; job < 500; ++job) {
      team.run([&](int worker) { ++calls[static_cast<std::size_t>(worker)]; });
    }
    for (const int count : calls) EXPECT_EQ(count, 500);
  }
}

TEST(ThreadTeam, AnExceptionOfAnyWorkerReachesTheCaller) {
  ThreadTeam team(3);
  for (int thrower = 0; thrower < 3; ++thrower) {
    std::atomic<int> others = 0;
    EXPECT_THROW(team.run([&](int worker) {
      if (worker == thrower) throw std::runtime_error("stop");
      ++others;
    }),
                 std::runtime_error);
    EXPECT_EQ(others, 2);
  }
  team.run([](int) {});
}

}  // namespace
}  // namespace dpvi
