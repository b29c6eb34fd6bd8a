#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace dpvi {

// The decompressed bytes of a file in order. Reading takes one pass, so a pipe works.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // Reads at most `size` bytes; 0 means end of file. Throws InputError (DP325) for a damaged
  // compressed file and MissingInputError if reading fails.
  virtual std::size_t read(char* out, std::size_t size) = 0;

  // After this call the source may read more bytes from the file than requested, which is faster.
  virtual void allow_read_ahead() {}
};

// With `no`, the source takes no byte from the file before it is needed, until allow_read_ahead().
// This is slow and meant for a few bytes.
enum class ReadAhead { yes, no };

// Opens a plain, gzip or zstd file. The first bytes decide the format, not the name.
std::unique_ptr<ByteSource> open_bytes(const std::string& path,
                                       ReadAhead read_ahead = ReadAhead::yes);

}  // namespace dpvi
