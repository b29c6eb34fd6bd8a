#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <dpvi/base/rank_link.hpp>
#include <dpvi/random/process_mark.hpp>
#include <dpvi/random/secure_generator.hpp>

namespace dpvi {

// Identifies the purpose of a stream, next to the content that it is made for.
struct ContentAddress {
  std::uint64_t step = 0;
  std::uint64_t place = 0;  // tells streams for the same content apart
};

// Words that follow from a secret key, an address and some content, such as the bytes of a record:
// a pseudo-random function of these. Equal content at the same address has equal words; different
// content has words that look independent to everyone without the key.
//
// The function is CBC-MAC with AES-256 of the address, the length and the content. Because the
// length comes first, no message is the beginning of another, and CBC-MAC is then a pseudo-random
// function (Petrank & Rackoff 2000). Its 16 bytes are the first counter block of a stream of
// AES-256 in counter mode, under a second key. Both keys follow from 32 bytes of getrandom(2), and
// exist only in cipher contexts.
//
// Guarantee: words of a content stream depend on key, address and content alone.
class ContentKey {
 public:
  ContentKey();
  // The root's kernel gives the 32 bytes to all ranks of a job.
  explicit ContentKey(RankLink& ranks);
  ContentKey(ContentKey&&) noexcept = default;
  ContentKey& operator=(ContentKey&&) noexcept = default;

 private:
  friend class ContentStream;
  explicit ContentKey(std::span<const std::uint8_t, 32> first);

  CipherContext code_, words_;
  ProcessMark process_;
};

// One stream at a time. It serves one thread; several may use the same key.
class ContentStream {
 public:
  explicit ContentStream(const ContentKey& key);
  ContentStream(const ContentStream&) = delete;
  ContentStream& operator=(const ContentStream&) = delete;
  ContentStream(ContentStream&&) noexcept = default;
  ~ContentStream();

  // Begins the stream of this content.
  void start(const ContentAddress& address, std::span<const std::uint8_t> content);

  std::uint64_t next() {
    if (position_ == buffer_.size()) refill();
    return buffer_[position_++];
  }

 private:
  void refill();

  CipherContext code_, words_;
  ProcessMark process_;
  std::array<std::uint64_t, 2> counter_{};
  std::array<std::uint64_t, 64> buffer_{};
  std::size_t position_ = 64;
};

}  // namespace dpvi
