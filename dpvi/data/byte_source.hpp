#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace dpvi {

// The bytes of a file in order, decompressed on the way. One pass, so a pipe will do.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // Fills at most `size` bytes; 0 means the end. A damaged compressed file is an InputError
  // (DP325), a read that fails a MissingInputError.
  virtual std::size_t read(char* out, std::size_t size) = 0;
};

// With `no`, no byte is taken from the file before it is needed: slow, for a few bytes.
enum class ReadAhead { yes, no };

// Opens a plain, gzip or zstd file; which of them is told by its first bytes, not by its name.
std::unique_ptr<ByteSource> open_bytes(const std::string& path,
                                       ReadAhead read_ahead = ReadAhead::yes);

}  // namespace dpvi
