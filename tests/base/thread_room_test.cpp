#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <thread>

#include <dpvi/base/thread_room.hpp>

namespace dpvi {
namespace {

TEST(ThreadRoom, IsKeptAndGrows) {
  const ThreadRoom room;
  double* const first = room.numbers(100);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0u);
  first[0] = 1.0;
  first[99] = 2.0;
  EXPECT_EQ(room.numbers(100), first);
  EXPECT_EQ(room.numbers(0), first);
  EXPECT_EQ(first[99], 2.0);
  double* const larger = room.numbers(100000);
  larger[99999] = 3.0;
  EXPECT_EQ(room.numbers(5), larger);
}

TEST(ThreadRoom, BelongsToOneThread) {
  const ThreadRoom room, other;
  double* const mine = room.numbers(10);
  EXPECT_NE(other.numbers(10), mine);
  double* theirs = nullptr;
  std::thread([&] {
    theirs = room.numbers(10);
    theirs[0] = 1.0;
  }).join();
  EXPECT_NE(theirs, mine);
}

TEST(ThreadRoom, ReportsThatThereIsNoMemory) {
  const ThreadRoom room;
  EXPECT_THROW(room.numbers(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // Sanitizers end the process instead.
  EXPECT_THROW(room.numbers(std::numeric_limits<std::size_t>::max() / 16), std::bad_alloc);
#endif
  room.numbers(10)[9] = 1.0;
}

}  // namespace
}  // namespace dpvi
