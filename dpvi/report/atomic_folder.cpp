#include <dpvi/report/atomic_folder.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string_view>
#include <utility>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

namespace fs = std::filesystem;

std::string reason(int error_number) { return std::generic_category().message(error_number); }

[[noreturn]] void refuse_to_create(const fs::path& target, const std::string& why) {
  throw CannotCreateError(kCannotCreate,
                          fmt::format("'{}' cannot be created: {}.", target.string(), why),
                          "Choose a name that is not taken, in a folder that exists and is "
                          "writable.");
}

[[noreturn]] void fail_to_write(const fs::path& file, int error_number) {
  throw WriteError(
      kWriteFailed,
      fmt::format("'{}' could not be written: {}.", file.string(), reason(error_number)),
      "Check the free space and quota of that disk; nothing half-written was left.");
}

// A full disk refuses new folders too; that is not a problem of names or permissions.
bool is_lack_of_space(int error_number) {
  return error_number == ENOSPC || error_number == EDQUOT || error_number == EIO;
}

[[noreturn]] void fail_to_create(const fs::path& target, int error_number) {
  if (is_lack_of_space(error_number)) fail_to_write(target, error_number);
  refuse_to_create(target, reason(error_number));
}

// Removes a trailing slash, so that the path has a name and a parent.
fs::path without_slash(const fs::path& path) {
  const fs::path plain = path.lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
}

fs::path parent_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

// Refuses a name that is taken or that no file can have.
void refuse_unusable_name(const fs::path& target) {
  if (target.empty()) refuse_to_create(target, "the name is empty");
  struct stat found {};
  if (::lstat(target.c_str(), &found) == 0) refuse_to_create(target, "it exists already");
  if (errno != ENOENT) fail_to_create(target, errno);
}

// A folder that is removed with its contents, unless it was kept under another name.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& target) {
    std::random_device device;
    constexpr int kAttempts = 16;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const std::uint64_t suffix = (std::uint64_t{device()} << 32) | device();
      path_ = parent_of(target) / fmt::format(".dpvi-{:016x}", suffix);
      if (::mkdir(path_.c_str(), 0777) == 0) return;
      if (errno != EEXIST) fail_to_create(target, errno);
    }
    refuse_to_create(target, "no free temporary name beside it");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

  // rename(2) never replaces a folder that is not empty, a file or a link.
  void keep_as(const fs::path& target) {
    if (std::rename(path_.c_str(), target.c_str()) == 0) {
      path_.clear();
      return;
    }
    const bool taken = errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR;
    if (taken) refuse_to_create(target, "it exists already");
    fail_to_create(target, errno);
  }

 private:
  fs::path path_;
};

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  // Some file systems report a failed write only on close.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

// `shown` is the name used in messages, under the final folder.
void write_file(const fs::path& path, const fs::path& shown, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.number() < 0) fail_to_write(shown, errno);
  while (!text.empty()) {
    const ::ssize_t written = ::write(file.number(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write(shown, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(file.number()) != 0 || !file.close()) fail_to_write(shown, errno);
}

// File systems that cannot sync a folder return EINVAL; their renames cannot be made more durable.
void sync_folder(const fs::path& path, const fs::path& shown) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() < 0) fail_to_write(shown, errno);
  if (::fsync(folder.number()) != 0 && errno != EINVAL) fail_to_write(shown, errno);
}

}  // namespace

void check_can_create(const fs::path& target) {
  const fs::path name = without_slash(target);
  refuse_unusable_name(name);
  const TemporaryFolder probe(name);
}

void write_new_file(const fs::path& target, std::string_view text) {
  refuse_unusable_name(target);
  const TemporaryFolder folder(target);
  const fs::path whole = folder.path() / "file";
  write_file(whole, target, text);
  if (::link(whole.c_str(), target.c_str()) == 0) return;
  // Some file systems have no hard links.
  const bool no_links = errno == EPERM || errno == EOPNOTSUPP;
  if (no_links &&
      ::renameat2(AT_FDCWD, whole.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0) {
    return;
  }
  fail_to_create(target, errno);
}

void write_folder(const fs::path& target, const std::vector<FolderFile>& files) {
  const fs::path name = without_slash(target);
  refuse_unusable_name(name);
  TemporaryFolder folder(name);
  for (const FolderFile& file : files) {
    write_file(folder.path() / file.name, name / file.name, file.text);
  }
  sync_folder(folder.path(), name);
  folder.keep_as(name);
  // The folder is complete by now. If a power failure undoes the rename, nothing half-written
  // remains.
  const Descriptor parent(::open(parent_of(name).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.number() >= 0) ::fsync(parent.number());
}

}  // namespace dpvi
