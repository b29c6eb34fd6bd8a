#pragma once

#include <optional>
#include <string>

#include <dpvi/data/record_store.hpp>
#include <dpvi/ledger/ledger.hpp>

namespace dpvi {

// What a record store says to a ledger: its content was packed from the table with this
// fingerprint. Only who has the ledger can write it. `content` is RecordStore::content().
std::string store_seal(const Ledger& ledger, const std::string& content,
                       const std::string& fingerprint);

// The fingerprint of the table from which the store was packed, or nullopt if it has no seal of
// this ledger. Throws InputError DP380 if the seal was altered or belongs to another content.
std::optional<std::string> sealed_fingerprint(const Ledger& ledger, const RecordStore& store);

}  // namespace dpvi
