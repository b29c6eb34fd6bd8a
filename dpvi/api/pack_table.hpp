#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include <dpvi/data/schema.hpp>

namespace dpvi {

struct PackRequest {
  Schema schema;
  std::string table_file;  // CSV, plain or compressed
  std::filesystem::path store_file;
  // Ledger for which the store counts as the same data set; empty: none.
  std::string ledger_file = {};
  // Asked now and then; false stops the packing with Error DP501.
  std::function<bool()> go_on = {};
};

// Follows from the header and the schema alone.
struct PackedTable {
  std::size_t columns = 0;
  std::size_t row_bytes = 0;
};

// Writes a record store (record_store.hpp) with all columns of a table, in one pass and in bounded
// memory; with a declared unit, memory grows with the number of units. The store appears complete
// and on disk, or not at all. Malformed structure throws InputError as in a fit.
//
// Guarantee: cell contents never cause an exception or output.
PackedTable pack_table(const PackRequest& request);

}  // namespace dpvi
