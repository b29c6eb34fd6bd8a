#include <dpvi/data/byte_source.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <dpvi/base/error.hpp>
#include <dpvi/base/open_file.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kCompressedChunk = 1 << 17;

[[noreturn]] void refuse_unreadable(const std::string& path, const std::string& reason) {
  throw MissingInputError(kFileMissing, fmt::format("'{}' cannot be read: {}.", path, reason),
                          "Check the path and its permissions.");
}

// Opens a file or a pipe. It does not wait yet: see wait_for_writer().
OpenFile open_input(const std::string& path) {
  OpenFile file(path, O_RDONLY | O_NONBLOCK);
  struct stat found {};
  if (!file.is_open() || ::fstat(file.number(), &found) != 0) {
    refuse_unreadable(path, error_text(errno));
  }
  if (S_ISDIR(found.st_mode)) refuse_unreadable(path, "it is a folder");
  if (!S_ISREG(found.st_mode) && !S_ISFIFO(found.st_mode)) {
    refuse_unreadable(path, "it is a device; only files and pipes are read");
  }
  return file;
}

// A pipe that nobody writes to would block the process for ever. Returns the first byte, if reading
// has found one. Files have their end or a byte at once.
std::vector<char> wait_for_writer(const OpenFile& file, const std::string& path) {
  struct stat found {};
  const bool is_pipe = ::fstat(file.number(), &found) == 0 && S_ISFIFO(found.st_mode);
  constexpr int kPauses = 100;
  constexpr std::chrono::milliseconds kPause{10};
  for (int i = 0; is_pipe; ++i) {
    char byte = 0;
    const auto got = file.read(&byte, 1);
    if (got == 1U) return {byte};
    if (!got) break;  // a writer exists and has written nothing yet
    if (i == kPauses) refuse_unreadable(path, "it is a pipe, and no process writes to it");
    std::this_thread::sleep_for(kPause);
  }
  return {};
}

void wait_for_bytes(const OpenFile& file) {
  ::fcntl(file.number(), F_SETFL, ::fcntl(file.number(), F_GETFL) & ~O_NONBLOCK);
}

[[noreturn]] void refuse_damaged(const std::string& path, std::string_view kind) {
  throw InputError(kBadCompression, fmt::format("the {} data are damaged or end too early.", kind),
                   "Compress or copy the file again.", {path, 0, 0});
}

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(const std::string& path)
      : path_(path), file_(open_input(path)), peeked_(wait_for_writer(file_, path)) {
    wait_for_bytes(file_);
  }

  std::size_t read(char* out, std::size_t size) override {
    std::size_t done = std::min(size, peeked_.size() - peeked_used_);
    std::copy_n(peeked_.begin() + static_cast<std::ptrdiff_t>(peeked_used_), done, out);
    peeked_used_ += done;
    if (done == 0) done = read_file(out, size);
    return done;
  }

  // Returns the first bytes, at most up to the end of the first line. read() returns them again.
  std::string_view peek(std::size_t size) {
    char byte = peeked_.empty() ? '\0' : peeked_.back();
    while (peeked_.size() < size && byte != '\n' && byte != '\r' && read_file(&byte, 1) == 1) {
      peeked_.push_back(byte);
    }
    return {peeked_.data(), peeked_.size()};
  }

  const std::string& path() const { return path_; }

 private:
  std::size_t read_file(char* out, std::size_t size) {
    const auto done = file_.read(out, size);
    if (!done) refuse_unreadable(path_, error_text(errno));
    return *done;
  }

  std::string path_;
  OpenFile file_;
  std::vector<char> peeked_;
  std::size_t peeked_used_ = 0;
};

// A compressed file of a few kilobytes can expand to gigabytes. Tables expand to a few times their
// size, rarely to fifty times it.
class ExpansionLimit {
 public:
  void add_compressed(std::size_t bytes) { compressed_ += bytes; }
  void add_expanded(std::size_t bytes, const std::string& path) {
    expanded_ += bytes;
    if (expanded_ <= kAlwaysAllowed + kLargestRatio * compressed_) return;
    throw InputError(kBadCompression,
                     fmt::format("the file expands to more than {} MiB and {} times its size.",
                                 kAlwaysAllowed >> 20, kLargestRatio),
                     "Decompress it first if it is a table.", {path, 0, 0});
  }

 private:
  static constexpr std::uint64_t kAlwaysAllowed = std::uint64_t{16} << 20;
  static constexpr std::uint64_t kLargestRatio = 100;

  std::uint64_t compressed_ = 0;
  std::uint64_t expanded_ = 0;
};

// Concatenated gzip members form one file, as for gunzip.
class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<PlainSource> file, std::size_t chunk)
      : file_(std::move(file)), next_chunk_(chunk) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(char* out, std::size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(std::min(size, kCompressedChunk));
    const uInt room = stream_.avail_out;
    while (stream_.avail_out == room && room > 0) {
      if (stream_.avail_in == 0 && !refill()) {
        if (!between_members_) refuse_damaged(file_->path(), "gzip");
        return 0;
      }
      if (between_members_ && inflateReset(&stream_) != Z_OK) refuse_damaged(file_->path(), "gzip");
      const int status = inflate(&stream_, Z_NO_FLUSH);
      between_members_ = status == Z_STREAM_END;
      if (status != Z_OK && status != Z_STREAM_END) refuse_damaged(file_->path(), "gzip");
    }
    limit_.add_expanded(room - stream_.avail_out, file_->path());
    return room - stream_.avail_out;
  }

  void allow_read_ahead() override { next_chunk_ = kCompressedChunk; }

 private:
  bool refill() {
    chunk_.resize(next_chunk_);
    stream_.next_in = reinterpret_cast<Bytef*>(chunk_.data());
    stream_.avail_in = static_cast<uInt>(file_->read(chunk_.data(), chunk_.size()));
    limit_.add_compressed(stream_.avail_in);
    return stream_.avail_in > 0;
  }

  std::unique_ptr<PlainSource> file_;
  std::size_t next_chunk_;  // bytes requested from the file at a time
  std::vector<char> chunk_;
  z_stream stream_{};
  bool between_members_ = false;
  ExpansionLimit limit_;
};

class ZstdSource final : public ByteSource {
 public:
  ZstdSource(std::unique_ptr<PlainSource> file, std::size_t chunk)
      : file_(std::move(file)),
        next_chunk_(chunk),
        stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }

  std::size_t read(char* out, std::size_t size) override {
    ZSTD_outBuffer output{out, size, 0};
    while (output.pos == 0 && size > 0) {
      if (input_.pos == input_.size && !refill()) {
        if (!between_frames_) refuse_damaged(file_->path(), "zstd");
        return 0;
      }
      const std::size_t status = ZSTD_decompressStream(stream_.get(), &output, &input_);
      if (ZSTD_isError(status) != 0) refuse_damaged(file_->path(), "zstd");
      between_frames_ = status == 0;
    }
    limit_.add_expanded(output.pos, file_->path());
    return output.pos;
  }

  void allow_read_ahead() override { next_chunk_ = kCompressedChunk; }

 private:
  bool refill() {
    chunk_.resize(next_chunk_);
    input_ = {chunk_.data(), file_->read(chunk_.data(), chunk_.size()), 0};
    limit_.add_compressed(input_.size);
    return input_.size > 0;
  }

  std::unique_ptr<PlainSource> file_;
  std::size_t next_chunk_;  // bytes requested from the file at a time
  std::vector<char> chunk_;
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  bool between_frames_ = false;
  ExpansionLimit limit_;
};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path, ReadAhead read_ahead) {
  auto file = std::make_unique<PlainSource>(path);
  const std::size_t chunk = read_ahead == ReadAhead::yes ? kCompressedChunk : 1;
  const std::string_view magic = file->peek(4);
  if (magic.starts_with("\x1f\x8b")) return std::make_unique<GzipSource>(std::move(file), chunk);
  if (magic == "\x28\xb5\x2f\xfd") return std::make_unique<ZstdSource>(std::move(file), chunk);
  return file;
}

}  // namespace dpvi
