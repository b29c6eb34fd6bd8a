#include <dpvi/random/secure_generator.hpp>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <bit>

#include <dpvi/random/fail_closed.hpp>
#include <dpvi/random/internal/keyed_counter.hpp>
#include <dpvi/random/kernel_bytes.hpp>

namespace dpvi {
namespace {

static_assert(std::endian::native == std::endian::little, "words are little-endian key stream");

// Each stream has 2^40 counters of two words.
constexpr std::uint64_t kCountersPerStream = kStreamFieldLimit;

using Key = std::array<std::uint8_t, 32>;

}  // namespace

void CipherContextFree::operator()(evp_cipher_ctx_st* context) const noexcept {
  EVP_CIPHER_CTX_free(context);
}

SecureGenerator::SecureGenerator() {
  Key key;
  fill_from_kernel(key);
  keyed_ = keyed_counter(key);
  OPENSSL_cleanse(key.data(), key.size());
}

SecureStream SecureGenerator::stream(const StreamAddress& address) const {
  return stream_from(address, 0);
}

SecureStream SecureGenerator::stream_from(const StreamAddress& address,
                                          std::uint64_t first_counter) const {
  if (!keyed_) fail_closed("a moved-from generator was used");
  if (!process_.holds()) fail_closed("a generator was used after fork()");
  return SecureStream(counter_at(keyed_, address, first_counter), process_, first_counter);
}

SecureStream::SecureStream(CipherContext context, ProcessMark process, std::uint64_t first_counter)
    : context_(std::move(context)),
      process_(process),
      words_left_(2 * (kCountersPerStream - first_counter)) {}

SecureStream::~SecureStream() {
  // Used words determine noise already added; they are as secret as unused ones.
  OPENSSL_cleanse(buffer_.data(), buffered_ * sizeof(buffer_[0]));
}

void SecureStream::fill(std::span<std::uint64_t> words) {
  if (!process_.holds()) fail_closed("a stream was used after fork()");
  const std::size_t ready = std::min(words.size(), buffered_ - position_);
  std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(position_), ready, words.begin());
  position_ += ready;
  encrypt_counters(words.subspan(ready));
}

void SecureStream::refill() {
  if (!process_.holds()) fail_closed("a stream was used after fork()");
  // Short streams are common; long ones soon use the whole buffer.
  constexpr std::size_t kFirst = 16;
  const std::size_t wanted = std::clamp(2 * buffered_, kFirst, buffer_.size());
  encrypt_counters(std::span(buffer_).first(wanted));
  buffered_ = wanted;
  position_ = 0;
}

void SecureStream::encrypt_counters(std::span<std::uint64_t> words) {
  if (words.size() > words_left_) fail_closed("a stream is used up");
  words_left_ -= words.size();
  std::fill(words.begin(), words.end(), 0);
  constexpr std::size_t kWordsPerCall = std::size_t{1} << 24;  // OpenSSL counts bytes in an int
  while (!words.empty()) {
    const std::span<std::uint64_t> part = words.first(std::min(words.size(), kWordsPerCall));
    auto* bytes = reinterpret_cast<unsigned char*>(part.data());
    const int size = static_cast<int>(part.size_bytes());
    int written = 0;
    if (EVP_EncryptUpdate(context_.get(), bytes, &written, bytes, size) != 1 || written != size) {
      fail_closed("OpenSSL cannot produce random words");
    }
    words = words.subspan(part.size());
  }
}

}  // namespace dpvi
