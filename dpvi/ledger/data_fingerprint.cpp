#include <dpvi/ledger/data_fingerprint.hpp>

#include <fmt/format.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <array>

#include <dpvi/base/sha256.hpp>

namespace dpvi {
namespace {

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

void DataFingerprint::Free::operator()(evp_mac_ctx_st* context) const { EVP_MAC_CTX_free(context); }

DataFingerprint::DataFingerprint(std::string_view key) {
  EVP_MAC* algorithm = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  context_.reset(algorithm == nullptr ? nullptr : EVP_MAC_CTX_new(algorithm));
  EVP_MAC_free(algorithm);
  std::array<char, 7> digest = {'S', 'H', 'A', '2', '5', '6', '\0'};
  const std::array<OSSL_PARAM, 2> parameters = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
      OSSL_PARAM_construct_end()};
  if (!context_ ||
      EVP_MAC_init(context_.get(), bytes_of(key), key.size(), parameters.data()) != 1) {
    throw_crypto_failure("HMAC-SHA256");
  }
}

void DataFingerprint::add(std::string_view bytes) {
  if (EVP_MAC_update(context_.get(), bytes_of(bytes), bytes.size()) != 1)
    throw_crypto_failure("HMAC-SHA256");
}

std::string DataFingerprint::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  std::size_t size = 0;
  if (EVP_MAC_final(context_.get(), digest.data(), &size, digest.size()) != 1)
    throw_crypto_failure("HMAC-SHA256");
  std::string hex;
  for (std::size_t i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

}  // namespace dpvi
