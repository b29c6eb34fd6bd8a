#pragma once

#include <functional>
#include <string>

#include <dpvi/api/table.hpp>
#include <dpvi/ledger/data_fingerprint.hpp>

namespace dpvi {

// The keyed fingerprint of a whole table. Of a file it is that of the decompressed bytes, so that
// compressing a table does not change it. Of a table in memory or a data frame it is that of names
// and cells; the width of numbers, the pieces and the kind of texts do not change it. Columns that
// no program can read enter by name. `make` returns a new fingerprint under the ledger's key.
std::string fingerprint_of(const Table& table, const std::function<DataFingerprint()>& make);

}  // namespace dpvi
