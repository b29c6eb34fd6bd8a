#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/base/open_file.hpp>
#include <dpvi/data/column_source.hpp>
#include <dpvi/data/store_column.hpp>
#include <dpvi/data/store_layout.hpp>

namespace dpvi {

// Writes a record store, in bounded memory. Until finish() the file is no store. Equal rows and
// declarations give equal bytes.
class StoreWriter {
 public:
  // Creates the file. `shown` is its name in messages.
  StoreWriter(const std::filesystem::path& file, std::string shown,
              std::vector<StoredColumn> columns);

  std::size_t row_bytes() const { return static_cast<std::size_t>(layout_.row_bytes); }

  // The columns of a block are those of the store without the unit, in the same order.
  void append(const TypedBlock& block);
  // Completes the content. Returns the name of the content, as RecordStore::content().
  std::string finish();
  // Call it once, after finish(): adds the seal, and waits until everything is on disk.
  void close(std::string_view seal);

 private:
  void encode(const TypedBlock& block, std::size_t row);
  void write_block();
  void write(std::string_view bytes);

  std::string shown_;
  OpenFile file_;
  std::vector<StoredColumn> columns_;
  StoreLayout layout_;
  std::string description_;
  std::string rows_;  // of the block that is not written yet
  std::string digests_;
};

}  // namespace dpvi
