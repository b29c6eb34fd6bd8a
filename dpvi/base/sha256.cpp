#include <dpvi/base/sha256.hpp>

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cstddef>

#include <dpvi/base/error.hpp>

namespace dpvi {

namespace {

constexpr std::size_t kDigestSize = 32;
using Digest = std::array<unsigned char, kDigestSize>;

Digest sha256(std::string_view text) {
  Digest digest{};
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw InternalError(kInternal, "the cryptographic library cannot compute SHA-256.",
                        "Check the installation of OpenSSL.");
  }
  return digest;
}

}  // namespace

std::string sha256_hex(std::string_view text) {
  std::string hex;
  for (const unsigned char byte : sha256(text)) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string sha256_base64(std::string_view text) {
  const Digest digest = sha256(text);
  std::array<unsigned char, 4 * ((kDigestSize + 2) / 3) + 1> letters{};  // and a final zero
  EVP_EncodeBlock(letters.data(), digest.data(), static_cast<int>(digest.size()));
  return {letters.begin(), letters.end() - 1};
}

}  // namespace dpvi
