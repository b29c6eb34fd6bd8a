#include <dpvi/base/working_folder.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <new>
#include <random>
#include <string>
#include <string_view>

namespace dpvi {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".dpvi-";
constexpr std::size_t kDigits = 16;

bool is_temporary_name(std::string_view name) {
  if (!name.starts_with(kPrefix) || name.size() != kPrefix.size() + kDigits) return false;
  return name.find_first_not_of("0123456789abcdef", kPrefix.size()) == std::string_view::npos;
}

// True unless the path still leads to the open folder. Some file systems never count the names of a
// folder, so its number of links does not tell.
bool is_gone(const OpenFile& folder, const fs::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(folder.number(), &opened) != 0 || ::lstat(path.c_str(), &named) != 0 ||
         opened.st_dev != named.st_dev || opened.st_ino != named.st_ino;
}

// Opens and locks the folder of a process that no longer lives. Not open for any other folder.
OpenFile lock_leftover(const fs::path& folder) {
  OpenFile file(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  struct stat found {};
  const bool left = file.is_open() && ::fstat(file.number(), &found) == 0 &&
                    found.st_uid == ::geteuid() && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0 &&
                    !is_gone(file, folder);
  return left ? std::move(file) : OpenFile(-1);
}

// Locks a new folder. Another process may hold the lock for a moment, to see whether the folder is
// a leftover, and may have removed it as one: then the result is false. A file system without locks
// counts as success.
bool lock_new(const OpenFile& folder, const fs::path& path) {
  while (::flock(folder.number(), LOCK_EX) != 0 && errno == EINTR) continue;
  return !is_gone(folder, path);
}

// Throws std::bad_alloc. Returns false if the names of the files could not be read.
bool remove_files(const fs::path& folder) {
  const auto names = names_in_folder(folder);
  if (!names) return false;
  for (const std::string& name : *names) ::unlink((folder / name).c_str());
  return true;
}

// Temporary folders have no folders inside. std::filesystem::remove_all ends the process if it gets
// no memory.
void remove_with_files(const fs::path& folder) noexcept {
  constexpr int kAttempts = 2;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    try {
      if (remove_files(folder)) break;
    } catch (const std::bad_alloc&) {
      // If it fails again, the folder stays. The next process that writes here removes it.
    }
  }
  ::rmdir(folder.c_str());
}

void remove_leftovers(const fs::path& parent) {
  for (const fs::path& folder : leftover_folders(parent)) {
    const OpenFile lock = lock_leftover(folder);
    if (lock.is_open()) remove_with_files(folder);
  }
}

}  // namespace

WorkingFolder::WorkingFolder(const fs::path& target) {
  const fs::path parent = parent_folder(target);
  remove_leftovers(parent);
  std::random_device device;
  // Each attempt may be lost to another process that looks for leftovers at that moment.
  constexpr int kAttempts = 1000;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::uint64_t suffix = (std::uint64_t{device()} << 32) | device();
    path_ = parent / fmt::format("{}{:016x}", kPrefix, suffix);
    if (::mkdir(path_.c_str(), 0777) != 0) {
      if (errno == EEXIST) continue;
      break;
    }
    lock_ = OpenFile(path_, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (lock_.is_open() && lock_new(lock_, path_)) return;
    if (!lock_.is_open() && errno != ENOENT) {
      const int reason = errno;
      ::rmdir(path_.c_str());
      errno = reason;
      break;
    }
  }
  path_.clear();
}

WorkingFolder::~WorkingFolder() {
  if (is_open()) remove_with_files(path_);
}

bool WorkingFolder::keep_as(const fs::path& target) {
  if (std::rename(path_.c_str(), target.c_str()) != 0) return false;
  path_.clear();
  return true;
}

std::vector<fs::path> leftover_folders(const fs::path& parent) {
  std::vector<fs::path> leftovers;
  for (const std::string& name : names_in_folder(parent).value_or(std::vector<std::string>())) {
    const fs::path path = parent / name;
    if (is_temporary_name(name) && lock_leftover(path).is_open()) leftovers.push_back(path);
  }
  return leftovers;
}

}  // namespace dpvi
