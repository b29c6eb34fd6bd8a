#include <dpvi/base/sha256.hpp>

#include <fmt/format.h>
#include <openssl/evp.h>

#include <dpvi/base/error.hpp>

namespace dpvi {

std::string sha256_hex(std::string_view text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr) != 1) {
    throw InternalError(kInternal, "the cryptographic library cannot compute SHA-256.",
                        "Check the installation of OpenSSL.");
  }
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

}  // namespace dpvi
