#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <dpvi/base/open_file.hpp>
#include <dpvi/data/store_column.hpp>
#include <dpvi/data/store_layout.hpp>

namespace dpvi {

// A table packed into one file: rows of typed cells, all of the same size, which need no parsing
// and no memory. A store is hostile input when it is read. Rows are read into the caller's memory
// and not mapped, so that a file that is cut or a disk that fails while it is read is an error and
// not a signal, and so that the rows of a process are never resident but for those in use.
class RecordStore {
 public:
  // Reads names and declarations of the columns, and nothing that follows from a row except how
  // many there are. Throws InputError DP380 for a file that is no store of this version.
  explicit RecordStore(const std::string& path);

  const std::string& path() const { return path_; }
  const std::vector<StoredColumn>& columns() const { return columns_; }
  std::vector<std::string> names() const;

  // Reads the whole file once and compares its size and its bytes with the checksums. Throws
  // InputError DP380 if the store is damaged, cut or altered. Call it before the functions below.
  void verify(int threads);

  std::uint64_t rows() const { return layout_.rows; }
  std::size_t row_bytes() const { return static_cast<std::size_t>(layout_.row_bytes); }
  // Copies `count` rows from `first` on. Safe to call from several threads.
  void read_rows(std::uint64_t first, std::uint64_t count, char* to) const;
  // Asks the system to read rows from `first` on, while others are in use.
  void read_ahead(std::uint64_t first, std::size_t bytes) const;

  // A SHA-256 over all of the content but the seal.
  const std::string& content() const { return content_; }
  // What was written after the content; empty if nothing was.
  std::string read_seal() const;

 private:
  void read_exactly(std::uint64_t at, std::span<char> to) const;
  std::uint64_t seal_bytes() const;
  void verify_blocks(const std::string& digests, int threads) const;

  std::string path_;
  OpenFile file_;
  StoreLayout layout_;
  std::vector<StoredColumn> columns_;
  std::string content_;
};

// True for a regular file that begins as a store does. Of any other file at most the first byte is
// read: no table begins with the same.
bool is_record_store(const std::string& path);

}  // namespace dpvi
