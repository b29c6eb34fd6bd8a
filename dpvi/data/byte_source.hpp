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

  // From now on more bytes may be taken from the file than are asked for, which is faster.
  virtual void allow_read_ahead() {}
};

// With `no`, no byte is taken from the file before it is needed, until the source is told that it
// may: slow, for a few bytes.
enum class ReadAhead { yes, no };

// Opens a plain, gzip or zstd file; which of them is told by its first bytes, not by its name.
std::unique_ptr<ByteSource> open_bytes(const std::string& path,
                                       ReadAhead read_ahead = ReadAhead::yes);

}  // namespace dpvi
