#include <dpvi/ledger/internal/ledger_file.hpp>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <dpvi/base/error.hpp>
#include <dpvi/base/open_file.hpp>

namespace dpvi {
namespace {

[[noreturn]] void refuse_missing(const std::string& path) {
  throw MissingInputError(kFileMissing,
                          fmt::format("the ledger '{}' does not exist or cannot be read.", path),
                          fmt::format("Make it: dpvi budget {} init --epsilon E --delta D.", path));
}

bool exists(const std::string& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0;
}

}  // namespace

void refuse_altered(const std::string& path, const std::string& what) {
  throw InputError(kDamagedLedger, what,
                   "Restore it from a backup, and compare with the bundles of its runs.",
                   {path, 0, 0});
}

std::string ledger_file(const std::string& path) {
  std::error_code failed;
  std::string file = path;
  if (std::filesystem::is_symlink(path, failed)) {
    file = std::filesystem::canonical(path, failed).string();
  }
  struct stat found {};
  if (failed || ::stat(file.c_str(), &found) != 0) refuse_missing(path);
  if (!S_ISREG(found.st_mode)) refuse_altered(path, "this is not a file; a ledger is a file.");
  if (found.st_nlink > 1) {
    throw InputError(kDamagedLedger,
                     fmt::format("the ledger has {} names (hard links); runs under one name do not "
                                 "see what runs under another have spent.",
                                 found.st_nlink),
                     "Copy backups of a ledger, and remove the other names.", {path, 0, 0});
  }
  return file;
}

SqliteAccess reading_access(const std::string& file) {
  const bool folder_is_writable = ::access(parent_folder(file).c_str(), W_OK) == 0;
  return folder_is_writable || exists(file + "-wal") ? SqliteAccess::read
                                                     : SqliteAccess::read_archived;
}

void require_ledger_objects(SqliteDatabase& database) {
  constexpr std::array<std::string_view, 4> kKnown = {kLineTable, kSecretTable, kUpdateTrigger,
                                                      kDeleteTrigger};
  SqliteStatement select(database, "SELECT name, sql FROM sqlite_schema");
  while (select.step()) {
    if (std::ranges::find(kKnown, select.text(1)) != kKnown.end()) continue;
    refuse_altered(database.path(),
                   fmt::format("it holds '{}', which no ledger has.", select.text(0)));
  }
}

}  // namespace dpvi
