#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include <dpvi/random/process_mark.hpp>
#include <dpvi/random/stream_address.hpp>

struct evp_cipher_ctx_st;  // OpenSSL's cipher context

namespace dpvi {

// Clears the key before freeing the memory.
struct CipherContextFree {
  void operator()(evp_cipher_ctx_st* context) const noexcept;
};
using CipherContext = std::unique_ptr<evp_cipher_ctx_st, CipherContextFree>;

// A stream of words for private mechanisms: AES-256 in counter mode at one address of a
// SecureGenerator. It can be neither copied nor moved, so no word is handed out twice. It serves
// one thread at a time.
//
// Word i of a stream is the i-th eight bytes (little-endian) of the key stream whose 16-byte
// counter block starts, big-endian, as label (1 byte), step (5), block (5), 0 (5).
//
// Guarantee: after fork() a child never sees a word of its parent's streams; using one ends the
// child (fail_closed).
//
// Guarantee: a stream ends the process rather than run into the next one.
class SecureStream {
 public:
  SecureStream(const SecureStream&) = delete;
  SecureStream& operator=(const SecureStream&) = delete;
  ~SecureStream();

  std::uint64_t next() {
    if (position_ == buffered_ || !process_.holds()) refill();
    return buffer_[position_++];
  }

  void fill(std::span<std::uint64_t> words);

 private:
  friend class SecureGenerator;
  friend class BatchGenerator;
  SecureStream(CipherContext context, ProcessMark process, std::uint64_t first_counter);

  void refill();
  void encrypt_counters(std::span<std::uint64_t> words);

  CipherContext context_;
  ProcessMark process_;
  std::uint64_t words_left_;
  std::size_t position_ = 0;
  std::size_t buffered_ = 0;
  std::array<std::uint64_t, 256> buffer_;
};

// The only source of randomness that a private mechanism accepts. Its key is 32 bytes from
// getrandom(2) that exist only in the cipher context: never copied out, logged or stored, and
// cleared on destruction. A resumed run therefore has a new key and cannot reuse a stream on other
// data. No constructor takes a key and no class is a friend. A program that replaces getrandom(2)
// itself, as the tests do, chooses the key.
//
// Guarantee: failing entropy ends the process before any word is given (fail_closed).
//
// Guarantee: streams of different addresses never overlap.
class SecureGenerator {
 public:
  SecureGenerator();
  SecureGenerator(SecureGenerator&&) noexcept = default;
  SecureGenerator& operator=(SecureGenerator&&) noexcept = default;
  ~SecureGenerator() = default;

  // Returns the same words for the same address, for any thread and in any order: a step must not
  // use an address for two purposes. Step and block must be below kStreamFieldLimit.
  SecureStream stream(const StreamAddress& address) const;

 private:
  SecureStream stream_from(const StreamAddress& address, std::uint64_t first_counter) const;

  CipherContext keyed_;
  ProcessMark process_;
};

}  // namespace dpvi
