#include <gtest/gtest.h>
#include <malloc.h>
#include <openssl/crypto.h>
#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <set>

#include <dpvi/random/secure_generator.hpp>
#include <tests/support/fixed_key_generator.hpp>

namespace dpvi {
namespace {

FixedKeyForTests::Key counting_key() {
  FixedKeyForTests::Key key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
  return key;
}

// Returns whether either half of the key occurs anywhere in the memory.
bool holds_key(const void* memory, std::size_t size) {
  const FixedKeyForTests::Key key = counting_key();
  return memmem(memory, size, key.data(), 16) != nullptr ||
         memmem(memory, size, key.data() + 16, 16) != nullptr;
}

// OpenSSL allocates through these functions from program start, so a test can inspect every live
// block and every block that is freed.
std::set<void*>& live_blocks() {
  static std::set<void*> blocks;
  return blocks;
}
bool watching = false;
int blocks_freed_with_key = 0;

void* allocate(std::size_t size, const char*, int) {
  void* block = std::malloc(size);
  if (watching && block != nullptr) live_blocks().insert(block);
  return block;
}

void release(void* block, const char*, int) {
  if (watching && block != nullptr && live_blocks().erase(block) > 0) {
    blocks_freed_with_key += holds_key(block, malloc_usable_size(block)) ? 1 : 0;
  }
  std::free(block);
}

void* reallocate(void* block, std::size_t size, const char* file, int line) {
  void* larger = allocate(size, file, line);
  if (block != nullptr && larger != nullptr) {
    std::memcpy(larger, block, std::min(size, malloc_usable_size(block)));
    release(block, file, line);
  }
  return larger;
}

const bool kHooked = CRYPTO_set_mem_functions(allocate, reallocate, release) == 1;

TEST(Wipe, KeyIsClearedFromEveryBlockBeforeItIsFreed) {
  ASSERT_TRUE(kHooked);
  watching = true;
  bool key_was_held = false;
  {
    const SecureGenerator generator = FixedKeyForTests::generator(counting_key());
    SecureStream stream = generator.stream({StreamLabel::noise, 0, 0});
    stream.next();
    for (void* block : live_blocks()) key_was_held |= holds_key(block, malloc_usable_size(block));
  }
  watching = false;
  if (!key_was_held) GTEST_SKIP() << "this machine's AES does not keep its key in plain order";
  EXPECT_EQ(blocks_freed_with_key, 0);
}

TEST(Wipe, WordsOfAStreamAreClearedWithIt) {
  const SecureGenerator generator = FixedKeyForTests::generator(1);
  alignas(SecureStream) static std::byte memory[sizeof(SecureStream)];
  auto* stream = new (memory) SecureStream(generator.stream({StreamLabel::noise, 0, 0}));
  std::array<std::uint64_t, 1000> words;
  for (std::uint64_t& word : words) word = stream->next();
  const auto held = [&] {
    return std::ranges::count_if(words, [&](const std::uint64_t& word) {
      return memmem(memory, sizeof(memory), &word, sizeof(word)) != nullptr;
    });
  };
  EXPECT_GT(held(), 200);
  stream->~SecureStream();
  EXPECT_EQ(held(), 0);
}

// The padding moves the constructor deep into the stack, so that later calls do not overwrite what
// it leaves there.
void* make_generator(void* place) {
  volatile std::byte padding[1 << 17];
  padding[0] = std::byte{1};
  return padding[0] == std::byte{1} ? new (place) SecureGenerator() : nullptr;
}

// The constructor runs on a stack that the test owns and searches afterwards.
TEST(Wipe, KeyIsNotLeftOnTheStackOfTheConstructor) {
  constexpr std::size_t kStackBytes = 1 << 20;
  alignas(4096) static std::byte stack[kStackBytes];
  alignas(SecureGenerator) static std::byte place[sizeof(SecureGenerator)];
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstack(&attributes, stack, kStackBytes), 0);
  kernel_entropy = KernelEntropy::counts_up_two_at_a_time;
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, make_generator, place), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  kernel_entropy = KernelEntropy::real;
  pthread_attr_destroy(&attributes);
  auto* generator = std::launder(reinterpret_cast<SecureGenerator*>(place));
  const StreamAddress address{StreamLabel::noise, 0, 0};
  EXPECT_EQ(generator->stream(address).next(),
            FixedKeyForTests::generator(counting_key()).stream(address).next());
  EXPECT_FALSE(holds_key(stack, kStackBytes));
  EXPECT_FALSE(holds_key(place, sizeof(place)));
  generator->~SecureGenerator();
}

}  // namespace
}  // namespace dpvi
