#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/data/byte_source.hpp>

namespace dpvi {

// Reads the rows of a CSV file (RFC 4180; lines end in LF, CRLF or CR) in one pass. Memory is
// bounded by the longest row. Structural errors are refused with their line (DP320 to DP326).
//
// Guarantee: no message quotes the file, neither a cell nor the first line, which is a record if
// the header is missing.
class CsvReader {
 public:
  // Opens the file and reads its header line.
  //
  // Guarantee: before next_row() is called, no byte after the header line is read from a plain
  // file, and from a compressed file no more is read than is needed to decompress that line.
  explicit CsvReader(const std::string& path);
  // Reads from `source`; `path` is used in messages.
  CsvReader(const std::string& path, std::unique_ptr<ByteSource> source);

  const std::string& path() const { return path_; }
  const std::vector<std::string>& header() const { return header_; }

  // Moves to the next row. Returns false at the end of the file.
  bool next_row();

  // One cell per header name; valid until the next call of next_row().
  std::span<const std::string_view> cells() const { return cells_; }

 private:
  void read_header();
  void leave_header();
  bool read_row();
  bool split_row();
  bool end_row(std::size_t at, std::size_t newlines);
  bool split_quoted(std::size_t& at, std::size_t& newlines);
  bool refill();
  std::size_t read_header_bytes(char* out, std::size_t size);
  void merge_doubled_quotes(std::string_view& cell);
  bool row_is_blank() const;
  SourcePlace place(std::size_t newlines = 0) const;

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  std::vector<std::string> header_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;   // start of the current or next row
  std::size_t next_ = 0;    // first byte after the current row
  std::size_t filled_ = 0;  // end of the bytes in the buffer
  bool at_end_ = false;     // the source has no more bytes
  bool in_header_quotes_ = false;
  bool in_header_ = true;      // nothing after the header line may be read yet
  bool after_return_ = false;  // the current row ended in CR, and LF may follow
  std::size_t line_ = 1;       // of the current row
  std::size_t next_line_ = 1;
  std::vector<std::string_view> cells_;
  std::vector<std::size_t> with_doubled_quotes_;  // indices into cells_
};

}  // namespace dpvi
