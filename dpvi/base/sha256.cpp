// OpenSSL deprecates the functions of <openssl/sha.h> in favour of EVP_Digest.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <dpvi/base/sha256.hpp>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>
#include <cstddef>
#include <new>

#include <dpvi/base/error.hpp>

namespace dpvi {

namespace {

constexpr std::size_t kDigestSize = 32;
using Digest = std::array<unsigned char, kDigestSize>;

// These functions allocate nothing, unlike EVP_Digest, which loads a provider and does not survive
// a lack of memory in it.
Digest sha256(std::string_view text) {
  Digest digest{};
  SHA256_CTX context;
  const bool done = SHA256_Init(&context) == 1 &&
                    SHA256_Update(&context, text.data(), text.size()) == 1 &&
                    SHA256_Final(digest.data(), &context) == 1;
  if (!done) throw_crypto_failure("SHA-256");
  return digest;
}

}  // namespace

void throw_crypto_failure(std::string_view function) {
  const unsigned long reason = ERR_peek_last_error();
  ERR_clear_error();
  // Without memory there may be no record of the reason either.
  if (reason == 0 || ERR_GET_REASON(reason) == ERR_R_MALLOC_FAILURE) throw std::bad_alloc();
  throw InternalError(kInternal,
                      fmt::format("the cryptographic library cannot compute {}.", function),
                      "Check the installation of OpenSSL.");
}

std::string sha256_hex(std::string_view text) {
  std::string hex;
  for (const unsigned char byte : sha256(text)) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string sha256_bytes(std::string_view text) {
  const Digest digest = sha256(text);
  return {digest.begin(), digest.end()};
}

std::string sha256_base64(std::string_view text) {
  const Digest digest = sha256(text);
  std::array<unsigned char, 4 * ((kDigestSize + 2) / 3) + 1> letters{};  // and a final zero
  EVP_EncodeBlock(letters.data(), digest.data(), static_cast<int>(digest.size()));
  return {letters.begin(), letters.end() - 1};
}

}  // namespace dpvi
