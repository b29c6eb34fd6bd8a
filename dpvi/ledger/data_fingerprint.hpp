#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_mac_ctx_st;  // OpenSSL's message authentication context

namespace dpvi {

// Recognises a data set without being able to confirm a guess: HMAC-SHA256 of its bytes under a
// random key that never leaves the ledger. Who has the published results, or any hash of them,
// cannot compute it.
class DataFingerprint {
 public:
  // `key` is in hexadecimal.
  explicit DataFingerprint(std::string_view key);

  void add(std::string_view bytes);
  // The fingerprint of all bytes added, in hexadecimal. Ends the computation.
  std::string finish();

 private:
  struct Free {
    void operator()(evp_mac_ctx_st* context) const;
  };
  std::unique_ptr<evp_mac_ctx_st, Free> context_;
};

}  // namespace dpvi
