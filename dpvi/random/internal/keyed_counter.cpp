#include <dpvi/random/internal/keyed_counter.hpp>

#include <openssl/evp.h>

#include <array>

#include <dpvi/random/fail_closed.hpp>

namespace dpvi {
namespace {

using CounterBlock = std::array<std::uint8_t, 16>;

CipherContext new_context() {
  CipherContext context(EVP_CIPHER_CTX_new());
  if (!context) fail_closed("OpenSSL cannot allocate a cipher");
  return context;
}

// Writes big-endian, as counter mode counts.
void put_five_bytes(std::span<std::uint8_t, 5> bytes, std::uint64_t value) {
  for (std::size_t i = 0; i < 5; ++i) bytes[4 - i] = static_cast<std::uint8_t>(value >> (8 * i));
}

CounterBlock counter_block(const StreamAddress& address, std::uint64_t counter) {
  if (address.step >= kStreamFieldLimit || address.block >= kStreamFieldLimit) {
    fail_closed("a stream address is out of range");
  }
  CounterBlock block{};
  block[0] = static_cast<std::uint8_t>(address.label);
  const std::span<std::uint8_t, 16> bytes(block);
  put_five_bytes(bytes.subspan<1, 5>(), address.step);
  put_five_bytes(bytes.subspan<6, 5>(), address.block);
  put_five_bytes(bytes.subspan<11, 5>(), counter);
  return block;
}

}  // namespace

CipherContext keyed_counter(std::span<const std::uint8_t, 32> key) {
  CipherContext context = new_context();
  if (EVP_EncryptInit_ex(context.get(), EVP_aes_256_ctr(), nullptr, key.data(), nullptr) != 1) {
    fail_closed("OpenSSL cannot use AES-256-CTR");
  }
  return context;
}

CipherContext counter_at(const CipherContext& keyed, const StreamAddress& address,
                         std::uint64_t first_counter) {
  const CounterBlock block = counter_block(address, first_counter);
  CipherContext context = new_context();
  if (EVP_CIPHER_CTX_copy(context.get(), keyed.get()) != 1 ||
      EVP_EncryptInit_ex(context.get(), nullptr, nullptr, nullptr, block.data()) != 1) {
    fail_closed("OpenSSL cannot start a stream");
  }
  return context;
}

}  // namespace dpvi
