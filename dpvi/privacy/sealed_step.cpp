#include <dpvi/privacy/sealed_step.hpp>

#include <openssl/evp.h>

#include <cstring>
#include <memory>
#include <utility>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/boundary_internal.hpp>

namespace dpvi {
namespace {

constexpr int kEncrypt = 1, kDecrypt = 0;

[[noreturn]] void refuse_cipher() {
  throw InternalError(kInternal, "the cryptographic library cannot compute AES-256-GCM.",
                      "Check the installation of OpenSSL.");
}

const unsigned char* octets(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// One use of the cipher, in one direction.
class Gcm {
 public:
  Gcm(const StepSeal::Key& key, std::uint64_t number, std::string_view previous, int direction)
      : context_(EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free) {
    std::array<unsigned char, 12> nonce{};
    std::memcpy(nonce.data(), &number, sizeof number);
    int ignored = 0;
    const bool ready = context_ &&
                       EVP_CipherInit_ex(context_.get(), EVP_aes_256_gcm(), nullptr, key.data(),
                                         nonce.data(), direction) == 1 &&
                       EVP_CipherUpdate(context_.get(), nullptr, &ignored, octets(previous),
                                        static_cast<int>(previous.size())) == 1;
    if (!ready) refuse_cipher();
  }

  std::string update(std::string_view text) {
    std::string result(text.size(), '\0');
    int size = 0;
    if (EVP_CipherUpdate(context_.get(), reinterpret_cast<unsigned char*>(result.data()), &size,
                         octets(text), static_cast<int>(text.size())) != 1) {
      refuse_cipher();
    }
    return result;
  }

  // Returns false if a tag that was set does not fit.
  bool finish() {
    std::array<unsigned char, StepSeal::kTagSize> rest{};
    int size = 0;
    return EVP_CipherFinal_ex(context_.get(), rest.data(), &size) == 1;
  }

  std::string tag() {
    std::string tag(StepSeal::kTagSize, '\0');
    if (EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_GCM_GET_TAG, StepSeal::kTagSize, tag.data()) !=
        1) {
      refuse_cipher();
    }
    return tag;
  }

  void set_tag(std::string_view tag) {
    std::string copy(tag);
    if (EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_GCM_SET_TAG, StepSeal::kTagSize,
                            copy.data()) != 1) {
      refuse_cipher();
    }
  }

 private:
  std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context_;
};

template <class Number>
void put(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put_list(std::string& bytes, std::span<const double> values) {
  put(bytes, static_cast<std::uint64_t>(values.size()));
  for (const double value : values) put(bytes, value);
}

// Reads authenticated bytes, which have the form in which they were written.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : rest_(bytes) {}

  template <class Number>
  Number number() {
    Number result{};
    if (rest_.size() < sizeof result) refuse_cipher();
    std::memcpy(&result, rest_.data(), sizeof result);
    rest_.remove_prefix(sizeof result);
    return result;
  }

  std::vector<double> list() {
    const auto size = number<std::uint64_t>();
    if (size > rest_.size() / sizeof(double)) refuse_cipher();
    std::vector<double> values;
    for (std::uint64_t i = 0; i < size; ++i) values.push_back(number<double>());
    return values;
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::string StepSeal::seal(const RecordedStep& step, std::uint64_t number,
                           std::string_view previous) const {
  const ReleaseOrigin& origin = step.released.origin();
  std::string plain;
  put(plain, static_cast<std::uint64_t>(origin.protection == Protection::gaussian_noise));
  put(plain, origin.step);
  put(plain, origin.noise_multiplier);
  put(plain, origin.clip_bound);
  put_list(plain, step.draw);
  put_list(plain, step.theta);
  put_list(plain, step.released.values());
  Gcm cipher(key_, number, previous, kEncrypt);
  std::string sealed = cipher.update(plain);
  if (!cipher.finish()) refuse_cipher();
  return sealed + cipher.tag();
}

std::optional<RecordedStep> StepSeal::open(std::string_view sealed, std::uint64_t number,
                                           std::string_view previous) const {
  if (sealed.size() < kTagSize) return std::nullopt;
  Gcm cipher(key_, number, previous, kDecrypt);
  const std::string plain = cipher.update(sealed.substr(0, sealed.size() - kTagSize));
  cipher.set_tag(sealed.substr(sealed.size() - kTagSize));
  if (!cipher.finish()) return std::nullopt;
  Taker taker(plain);
  ReleaseOrigin origin{};
  origin.protection =
      taker.number<std::uint64_t>() == 1 ? Protection::gaussian_noise : Protection::none;
  origin.step = taker.number<std::uint64_t>();
  origin.noise_multiplier = taker.number<double>();
  origin.clip_bound = taker.number<double>();
  std::vector<double> draw = taker.list(), theta = taker.list(), values = taker.list();
  origin.dimension = values.size();
  return RecordedStep{std::move(draw), std::move(theta),
                      Released(std::make_shared<Released::Content>(origin, std::move(values)))};
}

}  // namespace dpvi
