#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>
#include <thread>
#include <type_traits>
#include <vector>

#include <dpvi/random/secure_generator.hpp>
#include <dpvi/random/word_source.hpp>
#include <tests/support/fixed_key_generator.hpp>

namespace dpvi {
namespace {

static_assert(WordSource<SecureStream>);
static_assert(!std::is_copy_constructible_v<SecureStream>);
static_assert(!std::is_move_constructible_v<SecureStream>);
static_assert(!std::is_copy_constructible_v<SecureGenerator>);
static_assert(!std::is_copy_assignable_v<SecureGenerator>);
static_assert(std::is_nothrow_move_constructible_v<SecureGenerator>);
static_assert(!std::is_constructible_v<SecureGenerator, std::span<const std::uint8_t, 32>>,
              "outside tests a key comes from the kernel");
static_assert(!std::is_constructible_v<SecureGenerator, std::uint64_t>);

constexpr std::uint64_t kLast = kStreamFieldLimit - 1;

using Block = std::array<std::uint8_t, 16>;

// AES-256 of one block without any counter mode: the test alone spells out the counter layout.
Block encrypt_block(const FixedKeyForTests::Key& key, const Block& block) {
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  EVP_EncryptInit_ex(context, EVP_aes_256_ecb(), nullptr, key.data(), nullptr);
  EVP_CIPHER_CTX_set_padding(context, 0);
  Block result{};
  int written = 0;
  EVP_EncryptUpdate(context, result.data(), &written, block.data(), 16);
  EVP_CIPHER_CTX_free(context);
  return result;
}

std::vector<std::uint64_t> words_of(const SecureGenerator& generator, const StreamAddress& address,
                                    std::size_t count) {
  std::vector<std::uint64_t> words(count);
  SecureStream stream = generator.stream(address);
  stream.fill(words);
  return words;
}

FixedKeyForTests::Key counting_key() {
  FixedKeyForTests::Key key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
  return key;
}

// FIPS 197, appendix C.3: the plaintext is written as label, step, block and counter.
TEST(SecureStream, FirstWordsAreThePublishedAes256Answer) {
  const SecureGenerator generator = FixedKeyForTests::generator(counting_key());
  const StreamAddress address{StreamLabel{0x00}, 0x1122334455, 0x66778899aa};
  SecureStream stream = FixedKeyForTests::late_stream(generator, address, 0xbbccddeeff);
  EXPECT_EQ(stream.next(), 0xbf456751cab7a28eU);  // 8ea2b7ca516745bf in little-endian order
  EXPECT_EQ(stream.next(), 0x8960494b9049fceaU);  // eafc49904b496089
}

TEST(SecureStream, WordsAreAesOfLabelStepBlockCounter) {
  const FixedKeyForTests::Key key = counting_key();
  const SecureGenerator generator = FixedKeyForTests::generator(key);
  const StreamAddress address{StreamLabel::noise, 0x0102030405, 0xa1a2a3a4a5};
  const std::vector<std::uint64_t> words = words_of(generator, address, 2000);
  for (std::uint64_t counter = 0; counter < 1000; ++counter) {
    const auto high = static_cast<std::uint8_t>(counter >> 8);
    const auto low = static_cast<std::uint8_t>(counter);
    const Block expected =
        encrypt_block(key, {2, 1, 2, 3, 4, 5, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0, 0, 0, high, low});
    ASSERT_EQ(std::memcmp(expected.data(), &words[2 * counter], 16), 0) << counter;
  }
}

TEST(SecureStream, NextAndFillGiveTheSameWordsInAnyMix) {
  const SecureGenerator generator = FixedKeyForTests::generator(1);
  const StreamAddress address{StreamLabel::sampling, 3, 4};
  const std::vector<std::uint64_t> expected = words_of(generator, address, 5000);
  SecureStream stream = generator.stream(address);
  std::vector<std::uint64_t> words;
  for (std::size_t size = 0; words.size() + 2 * size < expected.size(); size += 7) {
    for (std::size_t i = 0; i < size; ++i) words.push_back(stream.next());
    words.resize(words.size() + size);
    stream.fill(std::span(words).last(size));
  }
  ASSERT_GT(words.size(), 4000U);
  EXPECT_TRUE(std::equal(words.begin(), words.end(), expected.begin()));
}

// Guarantee: streams of different addresses never overlap. AES permutes blocks, so different
// counters give different outputs under one key, and any repetition is an overlap.
TEST(SecureGenerator, StreamsOfDifferentAddressesNeverOverlap) {
  const SecureGenerator generator = FixedKeyForTests::generator(2);
  const std::uint64_t fields[] = {0,          1,       2,          255,       256,       65535,
                                  1ULL << 24, 1 << 30, 1ULL << 32, kLast / 2, kLast - 1, kLast};
  std::set<std::pair<std::uint64_t, std::uint64_t>> outputs;
  std::size_t expected = 0;
  for (const int label : {1, 2, 3, 4, 5}) {
    for (const std::uint64_t step : fields) {
      for (const std::uint64_t block : fields) {
        const StreamAddress address{static_cast<StreamLabel>(label), step, block};
        const std::vector<std::uint64_t> words = words_of(generator, address, 600);
        for (std::size_t i = 0; i < words.size(); i += 2) outputs.emplace(words[i], words[i + 1]);
        expected += words.size() / 2;
      }
    }
  }
  EXPECT_EQ(outputs.size(), expected);
}

// The last counter of a stream is followed by the first of the next address, and their outputs
// differ.
TEST(SecureGenerator, EndOfAStreamIsNotTheStartOfTheNext) {
  const SecureGenerator generator = FixedKeyForTests::generator(2);
  SecureStream end =
      FixedKeyForTests::late_stream(generator, {StreamLabel::noise, 7, 8}, kStreamFieldLimit - 8);
  std::vector<std::uint64_t> last(16);
  end.fill(last);
  const std::vector<std::uint64_t> next = words_of(generator, {StreamLabel::noise, 7, 9}, 16);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(std::ranges::count(next, last[i]), 0);
}

// Neighbouring addresses and neighbouring words agree in half of their bits. Each of 12 comparisons
// is within 5 standard errors.
TEST(SecureGenerator, StreamsOfNeighbouringAddressesAreUnrelated) {
  const SecureGenerator generator = FixedKeyForTests::generator(3);
  constexpr std::size_t kWords = 100'000;
  const double standard_error = std::sqrt(64.0 * kWords) / 2;
  const StreamAddress base{StreamLabel::noise, 10, 20};
  const StreamAddress others[] = {{StreamLabel::sampling, 10, 20},
                                  {StreamLabel::noise, 11, 20},
                                  {StreamLabel::noise, 10, 21},
                                  {StreamLabel::noise, 20, 10}};
  const std::vector<std::uint64_t> words = words_of(generator, base, kWords);
  for (const StreamAddress& other : others) {
    const std::vector<std::uint64_t> compared = words_of(generator, other, kWords);
    for (std::size_t shift = 0; shift < 3; ++shift) {
      double agreeing = 0;
      for (std::size_t i = 0; i < kWords; ++i) {
        agreeing += std::popcount(~(words[i] ^ compared[(i + shift) % kWords]));
      }
      EXPECT_NEAR(agreeing, 32.0 * kWords, 5 * standard_error);
    }
  }
}

TEST(SecureGenerator, ThreadsGetTheSameWordsInAnyOrder) {
  const SecureGenerator generator = FixedKeyForTests::generator(4);
  constexpr std::uint64_t kBlocks = 64;
  std::vector<std::vector<std::uint64_t>> alone(kBlocks);
  std::vector<std::vector<std::uint64_t>> together(kBlocks);
  for (std::uint64_t block = 0; block < kBlocks; ++block) {
    alone[block] = words_of(generator, {StreamLabel::sampling, 1, block}, 777);
  }
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::uint64_t block = kBlocks; block-- > 0;) {
        if (block % 4 != thread) continue;
        together[block] = words_of(generator, {StreamLabel::sampling, 1, block}, 777);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(alone, together);
}

TEST(SecureGenerator, KeepsItsStreamsWhenMoved) {
  SecureGenerator first = FixedKeyForTests::generator(5);
  const StreamAddress address{StreamLabel::noise, 0, 0};
  const std::vector<std::uint64_t> words = words_of(first, address, 10);
  const SecureGenerator second = std::move(first);
  EXPECT_EQ(words_of(second, address, 10), words);
}

TEST(SecureGenerator, EachHasItsOwnKey) {
  const StreamAddress address{StreamLabel::noise, 0, 0};
  std::set<std::uint64_t> first_words;
  for (int i = 0; i < 100; ++i) first_words.insert(SecureGenerator().stream(address).next());
  EXPECT_EQ(first_words.size(), 100U);
}

// Tests make generators with fixed keys in many threads at once.
TEST(SecureGenerator, AFixedKeyIsThatOfItsThreadAndUsedOnce) {
  constexpr std::uint64_t kThreads = 8;
  constexpr int kRounds = 200;
  const StreamAddress address{StreamLabel::noise, 1, 2};
  std::vector<std::uint64_t> expected;
  for (std::uint64_t key = 0; key < kThreads; ++key) {
    expected.push_back(FixedKeyForTests::generator(key).stream(address).next());
  }
  std::atomic<int> wrong = 0, repeated = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t key = 0; key < kThreads; ++key) {
    threads.emplace_back([&, key] {
      for (int round = 0; round < kRounds; ++round) {
        const SecureGenerator fixed = FixedKeyForTests::generator(key);
        const SecureGenerator secret;
        wrong += fixed.stream(address).next() != expected[key] ? 1 : 0;
        repeated += secret.stream(address).next() == expected[key] ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(repeated, 0);
}

}  // namespace
}  // namespace dpvi
