#include <dpvi/base/open_file.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

namespace dpvi {
namespace {

// Repeats a call that fails with EINTR.
template <class Call>
auto repeated(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace

OpenFile::OpenFile(const std::filesystem::path& path, int flags, ::mode_t mode)
    : number_(repeated([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); })) {}

OpenFile::~OpenFile() { close(); }

OpenFile::OpenFile(OpenFile&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

std::optional<std::size_t> OpenFile::read(char* out, std::size_t size) const {
  const ::ssize_t done = repeated([&] { return ::read(number_, out, size); });
  if (done < 0) return std::nullopt;
  return static_cast<std::size_t>(done);
}

bool OpenFile::write(std::string_view bytes) const { return write_fully(number_, bytes); }

bool OpenFile::sync() const {
  return repeated([&] { return ::fsync(number_); }) == 0;
}

bool OpenFile::close() {
  if (number_ < 0) return true;
  // Linux closes the descriptor even if a signal interrupts the call; repeating it could close
  // another thread's file.
  return ::close(std::exchange(number_, -1)) == 0 || errno == EINTR;
}

bool write_fully(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t done =
        repeated([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
    if (done < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

bool sync_folder(const std::filesystem::path& folder) {
  const OpenFile file(folder, O_RDONLY | O_DIRECTORY);
  return file.is_open() && (file.sync() || errno == EINVAL);
}

// Not std::filesystem's iterator, which ends the process if it gets no memory.
std::optional<std::vector<std::string>> names_in_folder(const std::filesystem::path& folder) {
  OpenFile file(folder, O_RDONLY | O_DIRECTORY);
  if (!file.is_open()) return std::nullopt;
  const std::unique_ptr<DIR, int (*)(DIR*)> list(::fdopendir(file.number()), &::closedir);
  if (list == nullptr) return std::nullopt;
  file.give_away();
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(list.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) return std::nullopt;
  std::sort(names.begin(), names.end());
  return names;
}

std::filesystem::path parent_folder(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

std::string error_text(int error_number) { return std::generic_category().message(error_number); }

}  // namespace dpvi
