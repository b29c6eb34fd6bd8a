#include <gtest/gtest.h>

#include <set>
#include <type_traits>

#include <dpvi/random/internal/philox.hpp>
#include <dpvi/random/secure_generator.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/random/word_source.hpp>

namespace dpvi {
namespace {

static_assert(WordSource<SeededStream>);
static_assert(!std::is_convertible_v<std::uint64_t, SeededGenerator>, "a seed is said aloud");
static_assert(!std::is_constructible_v<SecureStream, SeededStream>);
static_assert(!std::is_constructible_v<SecureGenerator, SeededGenerator>);
static_assert(!std::is_constructible_v<SeededGenerator, SecureGenerator>);
static_assert(!std::is_base_of_v<SecureStream, SeededStream>);

using Four = std::array<std::uint64_t, 4>;

// Answers from kat_vectors in the Random123 distribution.
TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_EQ(philox4x64_10({0, 0, 0, 0}, {0, 0}),
            (Four{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}));
  constexpr std::uint64_t kOnes = UINT64_MAX;
  EXPECT_EQ(philox4x64_10({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Four{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}));
  EXPECT_EQ(philox4x64_10(
                {0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
                {0x452821e638d01377, 0xbe5466cf34e90c6c}),
            (Four{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}));
}

TEST(SeededStream, WordsAreThoseOfTheDocumentedKeyAndCounter) {
  SeededStream stream = SeededGenerator(99).stream({StreamLabel::predictive_draw, 7, 8});
  for (std::uint64_t i = 0; i < 100; ++i) {
    for (const std::uint64_t expected : philox4x64_10({i, 8, 7, 0}, {99, 5})) {
      ASSERT_EQ(stream.next(), expected);
    }
  }
}

TEST(SeededStream, NextAndFillGiveTheSameWordsInAnyMix) {
  const SeededGenerator generator(1);
  const StreamAddress address{StreamLabel::initial_value, 0, 0};
  SeededStream one_by_one = generator.stream(address);
  SeededStream mixed = generator.stream(address);
  for (std::size_t size = 0; size < 20; ++size) {
    std::vector<std::uint64_t> words(size);
    mixed.fill(words);
    for (const std::uint64_t word : words) ASSERT_EQ(word, one_by_one.next());
    ASSERT_EQ(mixed.next(), one_by_one.next());
  }
}

TEST(SeededGenerator, StreamsOfDifferentSeedsAndAddressesDiffer) {
  std::set<std::uint64_t> first_words;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    for (const int label : {1, 2, 3, 4, 5}) {
      for (std::uint64_t step = 0; step < 10; ++step) {
        for (std::uint64_t block = 0; block < 10; ++block) {
          const StreamAddress address{static_cast<StreamLabel>(label), step, block};
          first_words.insert(SeededGenerator(seed).stream(address).next());
        }
      }
    }
  }
  EXPECT_EQ(first_words.size(), 3U * 5 * 10 * 10);
}

}  // namespace
}  // namespace dpvi
