#include <dpvi/random/content_streams.hpp>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include <dpvi/random/fail_closed.hpp>
#include <dpvi/random/kernel_bytes.hpp>
#include <dpvi/random/shared_key.hpp>

namespace dpvi {
namespace {

static_assert(std::endian::native == std::endian::little, "addresses are little-endian");

constexpr std::size_t kCipherBlock = 16;

CipherContext empty_context() {
  CipherContext context(EVP_CIPHER_CTX_new());
  if (!context) fail_closed("OpenSSL cannot allocate a cipher");
  return context;
}

CipherContext keyed_context(const EVP_CIPHER* cipher, std::span<const std::uint8_t> key) {
  CipherContext context = empty_context();
  const std::array<std::uint8_t, kCipherBlock> zero{};
  if (EVP_EncryptInit_ex(context.get(), cipher, nullptr, key.data(), zero.data()) != 1) {
    fail_closed("OpenSSL cannot use AES-256");
  }
  EVP_CIPHER_CTX_set_padding(context.get(), 0);
  return context;
}

CipherContext copied(const CipherContext& from) {
  if (!from) fail_closed("a moved-from key was used");
  CipherContext context = empty_context();
  if (EVP_CIPHER_CTX_copy(context.get(), from.get()) != 1) {
    fail_closed("OpenSSL cannot copy a cipher");
  }
  EVP_CIPHER_CTX_set_padding(context.get(), 0);
  return context;
}

void encrypt(const CipherContext& context, std::span<std::uint8_t> bytes) {
  const int size = static_cast<int>(bytes.size());
  int written = 0;
  if (EVP_EncryptUpdate(context.get(), bytes.data(), &written, bytes.data(), size) != 1 ||
      written != size) {
    fail_closed("OpenSSL cannot encrypt");
  }
}

// 32 bytes of the kernel, cleared after use.
struct KernelKey {
  KernelKey() { fill_from_kernel(bytes); }
  KernelKey(const KernelKey&) = delete;
  KernelKey& operator=(const KernelKey&) = delete;
  ~KernelKey() { OPENSSL_cleanse(bytes.data(), bytes.size()); }

  std::array<std::uint8_t, 32> bytes{};
};

}  // namespace

ContentKey::ContentKey() : ContentKey(KernelKey().bytes) {}

ContentKey::ContentKey(RankLink& ranks) : ContentKey(SharedKey(ranks).bytes()) {}

// The first key encrypts four counters, which give the two keys in use.
ContentKey::ContentKey(std::span<const std::uint8_t, 32> first) {
  std::array<std::uint8_t, 64> keys{};
  for (std::size_t i = 0; i < 4; ++i) keys[i * kCipherBlock] = static_cast<std::uint8_t>(i + 1);
  encrypt(keyed_context(EVP_aes_256_ecb(), first), keys);
  code_ = keyed_context(EVP_aes_256_cbc(), std::span(keys).first(32));
  words_ = keyed_context(EVP_aes_256_ecb(), std::span(keys).last(32));
  OPENSSL_cleanse(keys.data(), keys.size());
}

ContentStream::ContentStream(const ContentKey& key)
    : code_(copied(key.code_)), words_(copied(key.words_)), process_(key.process_) {}

ContentStream::~ContentStream() {
  OPENSSL_cleanse(buffer_.data(), sizeof buffer_);
  OPENSSL_cleanse(counter_.data(), sizeof counter_);
}

void ContentStream::start(const ContentAddress& address, std::span<const std::uint8_t> content) {
  if (!process_.holds()) fail_closed("a stream was used after fork()");
  const std::array<std::uint8_t, kCipherBlock> zero{};
  if (EVP_EncryptInit_ex(code_.get(), nullptr, nullptr, nullptr, zero.data()) != 1) {
    fail_closed("OpenSSL cannot start a code");
  }
  const std::array<std::uint64_t, 4> head{address.step, address.place, content.size(), 0};
  std::array<std::uint8_t, sizeof head> first;
  std::memcpy(first.data(), head.data(), sizeof head);
  encrypt(code_, first);
  std::array<std::uint8_t, 16 * kCipherBlock> piece;
  std::span<std::uint8_t> last = std::span(first).last(kCipherBlock);
  while (!content.empty()) {
    const std::size_t taken = std::min(content.size(), piece.size());
    const std::size_t padded = (taken + kCipherBlock - 1) / kCipherBlock * kCipherBlock;
    std::memcpy(piece.data(), content.data(), taken);
    std::fill(piece.begin() + static_cast<std::ptrdiff_t>(taken),
              piece.begin() + static_cast<std::ptrdiff_t>(padded), std::uint8_t{0});
    encrypt(code_, std::span(piece).first(padded));
    last = std::span(piece).subspan(padded - kCipherBlock, kCipherBlock);
    content = content.subspan(taken);
  }
  std::memcpy(counter_.data(), last.data(), kCipherBlock);
  OPENSSL_cleanse(piece.data(), piece.size());
  position_ = buffer_.size();
}

void ContentStream::refill() {
  if (!process_.holds()) fail_closed("a stream was used after fork()");
  for (std::size_t i = 0; i < buffer_.size(); i += 2) {
    buffer_[i] = counter_[0]++;
    buffer_[i + 1] = counter_[1];
  }
  encrypt(words_, {reinterpret_cast<std::uint8_t*>(buffer_.data()), sizeof buffer_});
  position_ = 0;
}

}  // namespace dpvi
