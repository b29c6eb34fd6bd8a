#include <dpvi/data/record_store.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <limits>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/base/sha256.hpp>
#include <dpvi/base/thread_team.hpp>
#include <dpvi/data/store_errors.hpp>

namespace dpvi {
namespace {

constexpr const char* kPackAgain = "Pack the table again with 'dpvi pack'.";

[[noreturn]] void refuse(const std::string& path, const std::string& what,
                         const std::string& hint = kPackAgain) {
  throw InputError(kBadStore, what, hint, {path, 0, 0});
}

[[noreturn]] void refuse_unreadable(const std::string& path, int reason) {
  throw MissingInputError(kFileMissing,
                          fmt::format("'{}' cannot be read: {}.", path, error_text(reason)),
                          "Check the disk, the path and its permissions.");
}

OpenFile open_store(const std::string& path) {
  OpenFile file(path, O_RDONLY | O_NONBLOCK);
  struct stat found {};
  if (!file.is_open() || ::fstat(file.number(), &found) != 0) refuse_unreadable(path, errno);
  if (!S_ISREG(found.st_mode)) refuse(path, "a record store must be a regular file.");
  return file;
}

std::uint64_t size_of(const OpenFile& file, const std::string& path) {
  struct stat found {};
  if (::fstat(file.number(), &found) != 0) refuse_unreadable(path, errno);
  return static_cast<std::uint64_t>(found.st_size);
}

[[noreturn]] void refuse_prefix(const std::string& path, std::string_view prefix) {
  constexpr std::size_t kVersionAt = StoreLayout::kMagic.size();
  const bool other_version = prefix[kVersionAt] != static_cast<char>(StoreLayout::kVersion);
  refuse(path, other_version
                   ? fmt::format("the record store has another version than {}, or is damaged.",
                                 StoreLayout::kVersion)
                   : std::string("the record store is damaged: its first bytes do not match their "
                                 "checksum."));
}

}  // namespace

RecordStore::RecordStore(const std::string& path) : path_(path), file_(open_store(path)) {
  const std::uint64_t size = size_of(file_, path_);
  std::string prefix(StoreLayout::kPrefix, '\0');
  if (size < prefix.size()) refuse(path_, "the record store ends too early.");
  read_exactly(0, prefix);
  const std::optional<StoreLayout> layout = read_store_prefix(prefix);
  if (!layout) refuse_prefix(path_, prefix);
  layout_ = *layout;
  content_ = sha256_hex(prefix);
  if (layout_.rows_at() > size) refuse(path_, "the record store ends too early.");
  std::string description(layout_.description_bytes, '\0');
  read_exactly(StoreLayout::kPrefix, description);
  auto columns = sha256_bytes(description) == description_digest(prefix)
                     ? read_store_description(description)
                     : std::nullopt;
  if (!columns || dpvi::row_bytes(*columns) != layout_.row_bytes) {
    refuse(path_,
           "the record store is damaged: the description of its columns is not what was "
           "written.");
  }
  columns_ = *std::move(columns);
}

std::vector<std::string> RecordStore::names() const {
  std::vector<std::string> names;
  for (const StoredColumn& column : columns_) names.push_back(column.name);
  return names;
}

void RecordStore::verify(int threads) {
  static_cast<void>(seal_bytes());  // checks the size
  std::string prefix(StoreLayout::kPrefix, '\0');
  read_exactly(0, prefix);
  std::string digests(layout_.blocks() * StoreLayout::kDigest, '\0');
  read_exactly(layout_.digests_at(), digests);
  const bool whole =
      sha256_hex(prefix) == content_ && sha256_bytes(digests) == block_list_digest(prefix);
  if (!whole) refuse(path_, "the record store is damaged: its checksums are not what was written.");
  verify_blocks(digests, threads);
}

std::uint64_t RecordStore::seal_bytes() const {
  const std::uint64_t size = size_of(file_, path_);
  if (size < layout_.seal_at()) {
    refuse(path_, "the record store ends too early.", "Copy it again, or pack the table again.");
  }
  const std::uint64_t seal = size - layout_.seal_at();
  if (seal > StoreLayout::kMostSeal) refuse(path_, "the record store has bytes after its end.");
  return seal;
}

std::string RecordStore::read_seal() const {
  std::string seal(seal_bytes(), '\0');
  read_exactly(layout_.seal_at(), seal);
  return seal;
}

void RecordStore::verify_blocks(const std::string& digests, int threads) const {
  const std::uint64_t blocks = layout_.blocks();
  std::atomic<std::uint64_t> next = 0;
  std::atomic<bool> damaged = false;
  const auto work = [&](int) {
    std::string rows;
    for (std::uint64_t block = next++; block < blocks && !damaged; block = next++) {
      const std::uint64_t first = block * layout_.rows_per_block;
      const std::uint64_t count = std::min(layout_.rows_per_block, layout_.rows - first);
      rows.resize(count * layout_.row_bytes);
      read_rows(first, count, rows.data());
      const std::string_view digest =
          std::string_view(digests).substr(block * StoreLayout::kDigest, StoreLayout::kDigest);
      if (sha256_bytes(rows) != digest) damaged = true;
    }
  };
  ThreadTeam(static_cast<int>(std::clamp<std::uint64_t>(
                 blocks, 1, static_cast<std::uint64_t>(std::max(threads, 1)))))
      .run(work);
  if (damaged) {
    refuse(path_, "the record store is damaged: rows do not match their checksum.",
           "Copy it again, or pack the table again.");
  }
}

void RecordStore::read_rows(std::uint64_t first, std::uint64_t count, char* to) const {
  read_exactly(layout_.rows_at() + first * layout_.row_bytes, {to, count * layout_.row_bytes});
}

void RecordStore::read_ahead(std::uint64_t first, std::size_t bytes) const {
  // A hint: nothing depends on it.
  static_cast<void>(::posix_fadvise(
      file_.number(), static_cast<::off_t>(layout_.rows_at() + first * layout_.row_bytes),
      static_cast<::off_t>(bytes), POSIX_FADV_WILLNEED));
}

void RecordStore::read_exactly(std::uint64_t at, std::span<char> to) const {
  std::size_t done = 0;
  while (done < to.size()) {
    const ::ssize_t got = ::pread(file_.number(), to.data() + done, to.size() - done,
                                  static_cast<::off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_unreadable(path_, errno);
    if (got == 0) {
      refuse(path_, "the record store was cut while it was read.",
             "Leave it in place while it is in use.");
    }
    done += static_cast<std::size_t>(got);
  }
}

bool is_record_store(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return false;
  const OpenFile file(path, O_RDONLY | O_NONBLOCK);
  for (const char expected : StoreLayout::kMagic) {
    char byte = 0;
    if (!file.is_open() || file.read(&byte, 1) != std::size_t{1} || byte != expected) return false;
  }
  return true;
}

}  // namespace dpvi
