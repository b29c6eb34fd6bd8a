#include <dpvi/random/shared_key.hpp>

#include <openssl/crypto.h>

#include <span>

#include <dpvi/random/kernel_bytes.hpp>

namespace dpvi {

SharedKey::SharedKey(RankLink& ranks) {
  if (ranks.is_root()) fill_from_kernel(bytes_);
  ranks.broadcast(std::as_writable_bytes(std::span(bytes_)));
}

SharedKey::~SharedKey() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

}  // namespace dpvi
