#include <array>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <dpvi/random/content_streams.hpp>
#include <tests/support/kernel_entropy.hpp>

namespace dpvi {
namespace {

ContentKey content_key(std::uint8_t first) {
  const NextKey next({first});
  return {};
}

using Bytes = std::vector<std::uint8_t>;

std::vector<std::uint64_t> words_of(ContentStream& stream, const ContentAddress& address,
                                    const Bytes& content, std::size_t count = 200) {
  stream.start(address, content);
  std::vector<std::uint64_t> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(stream.next());
  return words;
}

// Guarantee: words of a content stream depend on key, address and content alone.
TEST(ContentStreams, DependOnKeyAddressAndContentAlone) {
  const ContentKey key = content_key(1), same = content_key(1), other = content_key(2);
  ContentStream stream(key), again(same), different(other);
  const Bytes content(37, 5);
  const auto words = words_of(stream, {.step = 3, .place = 1}, content);
  words_of(again, {.step = 9, .place = 9}, Bytes(100, 1), 7);  // leaves no trace
  EXPECT_EQ(words_of(again, {.step = 3, .place = 1}, content), words);
  EXPECT_NE(words_of(different, {.step = 3, .place = 1}, content), words);
}

// Contents that differ in one byte, in length or by trailing zeros, and addresses, have streams of
// their own: no word occurs twice.
TEST(ContentStreams, OfDifferentContentOrAddressShareNoWord) {
  const ContentKey key = content_key(1);
  ContentStream stream(key);
  std::set<std::uint64_t> seen;
  std::size_t count = 0;
  const auto add = [&](const ContentAddress& address, const Bytes& content) {
    for (const std::uint64_t word : words_of(stream, address, content)) seen.insert(word);
    count += 200;
  };
  for (std::size_t size : {0u, 1u, 15u, 16u, 17u, 32u, 255u, 256u, 257u, 600u}) {
    add({}, Bytes(size, 0));
    if (size == 0) continue;
    for (std::size_t at : {std::size_t{0}, size - 1}) {
      Bytes changed(size, 0);
      changed[at] = 1;
      add({}, changed);
      if (size == 1) break;
    }
  }
  add({.step = 1}, {});
  add({.place = 1}, {});
  EXPECT_EQ(seen.size(), count);
}

// The construction itself, computed with OpenSSL here.
TEST(ContentStreams, AreCounterModeFromACbcMac) {
  std::array<std::uint8_t, 32> first{1};
  std::array<std::uint8_t, 64> keys{};
  for (std::size_t i = 0; i < 4; ++i) keys[16 * i] = static_cast<std::uint8_t>(i + 1);
  const auto encrypt = [](const EVP_CIPHER* cipher, const std::uint8_t* key, std::uint8_t* bytes,
                          int size) {
    const std::array<std::uint8_t, 16> zero{};
    EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
    int written = 0;
    EVP_EncryptInit_ex(context, cipher, nullptr, key, zero.data());
    EVP_CIPHER_CTX_set_padding(context, 0);
    EVP_EncryptUpdate(context, bytes, &written, bytes, size);
    EVP_CIPHER_CTX_free(context);
  };
  encrypt(EVP_aes_256_ecb(), first.data(), keys.data(), 64);
  // step, place, length and a zero; then the content, padded to 16 bytes.
  std::array<std::uint64_t, 6> message{7, 2, 9, 0, 0, 0};
  const std::string content = "nine byte";
  std::memcpy(&message[4], content.data(), content.size());
  encrypt(EVP_aes_256_cbc(), keys.data(), reinterpret_cast<std::uint8_t*>(message.data()), 48);
  std::array<std::uint64_t, 4> expected{message[4], message[5], message[4] + 1, message[5]};
  encrypt(EVP_aes_256_ecb(), keys.data() + 32, reinterpret_cast<std::uint8_t*>(expected.data()),
          32);
  const ContentKey key = content_key(1);
  ContentStream stream(key);
  const auto words =
      words_of(stream, {.step = 7, .place = 2}, Bytes(content.begin(), content.end()), 4);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(words[i], expected[i]);
}

}  // namespace
}  // namespace dpvi
