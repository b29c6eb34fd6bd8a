#include <dpvi/report/atomic_folder.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

#include <dpvi/base/error.hpp>
#include <dpvi/base/open_file.hpp>
#include <dpvi/base/working_folder.hpp>

namespace dpvi {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_to_create(const fs::path& target, const std::string& why) {
  throw CannotCreateError(kCannotCreate,
                          fmt::format("'{}' cannot be created: {}.", target.string(), why),
                          "Choose a name that is not taken, in a folder that exists and is "
                          "writable.");
}

[[noreturn]] void fail_to_write(const fs::path& file, int error_number) {
  throw WriteError(
      kWriteFailed,
      fmt::format("'{}' could not be written: {}.", file.string(), error_text(error_number)),
      "Check the free space and quota of that disk; nothing half-written was left.");
}

// A full disk refuses new folders too; that is not a problem of names or permissions.
bool is_lack_of_space(int error_number) {
  return error_number == ENOSPC || error_number == EDQUOT || error_number == EIO;
}

[[noreturn]] void fail_to_create(const fs::path& target, int error_number) {
  if (is_lack_of_space(error_number)) fail_to_write(target, error_number);
  refuse_to_create(target, error_text(error_number));
}

// Removes a trailing slash, so that the path has a name and a parent.
fs::path without_slash(const fs::path& path) {
  const fs::path plain = path.lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
}

// Refuses a name that is taken or that no file can have.
void refuse_unusable_name(const fs::path& target) {
  if (target.empty()) refuse_to_create(target, "the name is empty");
  struct stat found {};
  if (::lstat(target.c_str(), &found) == 0) refuse_to_create(target, "it exists already");
  if (errno != ENOENT) fail_to_create(target, errno);
}

void require_made(const WorkingFolder& folder, const fs::path& target) {
  if (folder.is_open()) return;
  if (errno == EEXIST) refuse_to_create(target, "no free temporary name beside it");
  fail_to_create(target, errno);
}

// `shown` is the name used in messages, under the final folder.
void write_file(const fs::path& path, const fs::path& shown, std::string_view text) {
  OpenFile file(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
  const bool written = file.is_open() && file.write(text) && file.sync() && file.close();
  if (!written) fail_to_write(shown, errno);
}

}  // namespace

void check_can_create(const fs::path& target) {
  const fs::path name = without_slash(target);
  refuse_unusable_name(name);
  const WorkingFolder probe(name);
  require_made(probe, name);
}

struct NewFile::State {
  explicit State(const fs::path& target) : name(target), folder(target) {}

  fs::path name;
  WorkingFolder folder;
};

NewFile::NewFile(const fs::path& target) {
  refuse_unusable_name(target);
  state_ = std::make_unique<State>(target);
  require_made(state_->folder, target);
}

NewFile::~NewFile() = default;

fs::path NewFile::path() const { return state_->folder.path() / "file"; }

void NewFile::finish() {
  const fs::path whole = path(), target = state_->name;
  bool named = ::link(whole.c_str(), target.c_str()) == 0;
  // Some file systems have no hard links.
  if (!named && (errno == EPERM || errno == EOPNOTSUPP)) {
    named = ::renameat2(AT_FDCWD, whole.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0;
  }
  if (!named) fail_to_create(target, errno);
  sync_folder(parent_folder(target));
}

void write_new_file(const fs::path& target, std::string_view text) {
  NewFile file(target);
  write_file(file.path(), target, text);
  file.finish();
}

struct NewFolder::State {
  explicit State(const fs::path& target) : name(target), folder(target) {}

  fs::path name;
  WorkingFolder folder;
  OpenFile file{-1};
  fs::path file_name;  // under the final folder, for messages
};

NewFolder::NewFolder(const fs::path& target) {
  const fs::path name = without_slash(target);
  refuse_unusable_name(name);
  state_ = std::make_unique<State>(name);
  require_made(state_->folder, name);
}

NewFolder::~NewFolder() = default;

void NewFolder::begin(const std::string& name) {
  complete_file();
  state_->file_name = state_->name / name;
  state_->file = OpenFile(state_->folder.path() / name, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (!state_->file.is_open()) fail_to_write(state_->file_name, errno);
}

void NewFolder::write(std::string_view text) {
  if (!state_->file.write(text)) fail_to_write(state_->file_name, errno);
}

void NewFolder::complete_file() {
  if (!state_->file.is_open()) return;
  if (!state_->file.sync() || !state_->file.close()) fail_to_write(state_->file_name, errno);
}

void NewFolder::finish() {
  complete_file();
  const fs::path& name = state_->name;
  if (!sync_folder(state_->folder.path())) fail_to_write(name, errno);
  if (!state_->folder.keep_as(name)) {
    const bool taken = errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR;
    if (taken) refuse_to_create(name, "it exists already");
    fail_to_create(name, errno);
  }
  // The folder is complete by now. If a power failure undoes the rename, nothing half-written
  // remains.
  sync_folder(parent_folder(name));
}

void write_folder(const fs::path& target, const std::vector<FolderFile>& files) {
  NewFolder folder(target);
  for (const FolderFile& file : files) {
    folder.begin(file.name);
    folder.write(file.text);
  }
  folder.finish();
}

}  // namespace dpvi
