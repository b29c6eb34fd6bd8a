#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <dpvi/random/key_memory.hpp>

namespace dpvi {
namespace {

// The kernel's flags of the mapping that holds an address, such as "dd" for: not in dumps.
std::string flags_of(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  bool found = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0, last = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> first >> dash >> last && dash == '-') {
      found = first <= wanted && wanted < last;
    }
    if (found && line.starts_with("VmFlags:")) return line + " ";
  }
  return {};
}

// The address sanitizer makes mlock(2) do nothing.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kLocks = false;
#else
constexpr bool kLocks = true;
#endif

// Guarantee: no page of key memory is part of a core dump, and a freed block holds zeros.
TEST(KeyMemory, IsNotInDumpsAndIsLocked) {
  const int ordinary = 0;
  EXPECT_EQ(flags_of(&ordinary).find(" dd "), std::string::npos);
  for (const std::size_t size : {std::size_t{1}, std::size_t{500}, std::size_t{1} << 20}) {
    void* block = allocate_key_memory(size);
    ASSERT_NE(block, nullptr);
    EXPECT_NE(flags_of(block).find(" dd "), std::string::npos) << flags_of(block);
    if (kLocks && size < 1000) {
      EXPECT_NE(flags_of(block).find(" lo "), std::string::npos) << flags_of(block);
    }
    free_key_memory(block);
  }
}

// Guarantee: no page of key memory is part of a core dump, and a freed block holds zeros.
TEST(KeyMemory, IsClearedWhenItIsFreedOrMoved) {
  auto* block = static_cast<unsigned char*>(allocate_key_memory(200));
  std::memset(block, 0x5a, 200);
  auto* larger = static_cast<unsigned char*>(resize_key_memory(block, 5000));
  ASSERT_NE(larger, block);
  EXPECT_TRUE(std::all_of(larger, larger + 200, [](unsigned char byte) { return byte == 0x5a; }));
  EXPECT_TRUE(std::all_of(block, block + 200, [](unsigned char byte) { return byte == 0; }));
  free_key_memory(larger);
  EXPECT_TRUE(std::all_of(larger, larger + 5000, [](unsigned char byte) { return byte == 0; }));
}

TEST(KeyMemory, ATakenKeyIsClearedWhereItWas) {
  std::string text(64, 'k');
  const char* place = text.data();
  const KeyText key = taken_key(text);
  EXPECT_EQ(key, KeyText(64, 'k'));
  EXPECT_NE(flags_of(key.data()).find(" dd "), std::string::npos);
  EXPECT_TRUE(text.empty());
  EXPECT_TRUE(std::all_of(place, place + 64, [](char letter) { return letter == 0; }));
}

TEST(KeyMemory, BlocksOfSeveralThreadsDoNotOverlap) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (std::size_t i = 1; i < 3000; ++i) {
        const std::size_t size = 1 + i * 37 % 2000;
        auto* block = static_cast<unsigned char*>(allocate_key_memory(size));
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % 16, 0u);
        std::memset(block, t + 1, size);
        std::this_thread::yield();
        ASSERT_TRUE(
            std::all_of(block, block + size, [&](unsigned char byte) { return byte == t + 1; }));
        free_key_memory(block);
      }
    });
  }
}

TEST(KeyMemory, UnusableSizesGiveNoBlock) {
  EXPECT_EQ(allocate_key_memory(SIZE_MAX), nullptr);
  EXPECT_EQ(resize_key_memory(nullptr, SIZE_MAX), nullptr);
  free_key_memory(nullptr);
}

}  // namespace
}  // namespace dpvi
