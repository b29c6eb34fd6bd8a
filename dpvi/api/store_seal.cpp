#include <dpvi/api/store_seal.hpp>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/data/store_errors.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kHexDigits = 64;

std::string tag_of(const Ledger& ledger, const std::string& content,
                   const std::string& fingerprint) {
  return ledger.derived_key(fmt::format("record store {} of table {}", content, fingerprint));
}

}  // namespace

std::string store_seal(const Ledger& ledger, const std::string& content,
                       const std::string& fingerprint) {
  return tag_of(ledger, content, fingerprint) + fingerprint + ledger.state().id;
}

std::optional<std::string> sealed_fingerprint(const Ledger& ledger, const RecordStore& store) {
  const std::string seal = store.read_seal();
  if (seal.size() <= 2 * kHexDigits || seal.substr(2 * kHexDigits) != ledger.state().id) {
    return std::nullopt;
  }
  const std::string fingerprint = seal.substr(kHexDigits, kHexDigits);
  if (seal.substr(0, kHexDigits) == tag_of(ledger, store.content(), fingerprint)) {
    return fingerprint;
  }
  throw InputError(kBadStore, "the record store is not the one that was packed with this ledger.",
                   "Pack the table again with --ledger.", {store.path(), 0, 0});
}

}  // namespace dpvi
