#include <dpvi/api/counted_bundle.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <dpvi/ledger/ledger.hpp>

namespace dpvi {
namespace {

std::vector<std::string> entry_differences(const LedgerEntry& entry,
                                           const BundleVerification& bundle) {
  if (!entry.published) {
    return {
        fmt::format("entry {} of the ledger has published nothing: this is an older copy of "
                    "the ledger, or the bundle was not written by that run.",
                    entry.id)};
  }
  const bool earlier = std::ranges::find(entry.earlier_manifests, bundle.manifest_sha256) !=
                       entry.earlier_manifests.end();
  if (entry.manifest_sha256 != bundle.manifest_sha256 && !earlier) {
    return {fmt::format("entry {} of the ledger is of another bundle.", entry.id)};
  }
  return {};
}

}  // namespace

CountedBundle find_in_ledger(const BundleVerification& bundle, const std::string& ledger_file) {
  const LedgerState state = Ledger::read(ledger_file);
  if (!bundle.ledger) return {"", {"no ledger counts the bundle."}};
  const LedgerMark& mark = *bundle.ledger;
  if (mark.ledger != state.id) {
    return {"", {fmt::format("the bundle was counted by another ledger, {}.", mark.ledger)}};
  }
  const LedgerEntry* entry = state.entry(mark.entry);
  if (!state.had({mark.ledger, mark.position, mark.head}) || entry == nullptr) {
    return {"",
            {fmt::format("line {} of the ledger is missing or another: this is an older or altered "
                         "copy of the ledger.",
                         mark.position)}};
  }
  return {fmt::format("entry {} of the ledger ({})", entry->id, name_of(entry->state)),
          entry_differences(*entry, bundle)};
}

}  // namespace dpvi
