#include <dpvi/ledger/internal/sqlite_database.hpp>

#include <fmt/format.h>
#include <sqlite3.h>

#include <utility>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

constexpr int kBusyMilliseconds = 30000;

[[noreturn]] void refuse_open(const std::string& path) {
  throw MissingInputError(kFileMissing, fmt::format("'{}' cannot be opened.", path),
                          "Check the path and the permissions of the ledger and its folder.");
}

// The name that SQLite is given. Plain letters alone keep their meaning in a URI, and an absolute
// or dotted name has no other meaning to SQLite than that of a file.
std::string name_for_sqlite(const std::string& path, SqliteAccess access) {
  const std::string file = path.starts_with('/') ? path : "./" + path;
  if (access != SqliteAccess::read_archived) return file;
  std::string uri = "file:";
  for (const char c : file) {
    const bool plain = c == '/' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                       (c >= 'A' && c <= 'Z');
    uri += plain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return uri + "?immutable=1";
}

}  // namespace

// The first constructor completes the object, so that the destructor closes it if anything fails.
SqliteDatabase::SqliteDatabase(std::string path) : path_(std::move(path)) {}

SqliteDatabase::SqliteDatabase(const std::string& path, SqliteAccess access)
    : SqliteDatabase(path) {
  int flags = access == SqliteAccess::write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  if (access == SqliteAccess::read_archived) flags |= SQLITE_OPEN_URI;
  const int result =
      sqlite3_open_v2(name_for_sqlite(path, access).c_str(), &handle_,
                      flags | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  if (result != SQLITE_OK) refuse_open(path);
  sqlite3_busy_timeout(handle_, kBusyMilliseconds);
  // The file may come from elsewhere: its schema is not trusted.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  constexpr int kLongestCell = 1 << 20;
  sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, kLongestCell);
  execute("PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON");
}

SqliteDatabase::~SqliteDatabase() { sqlite3_close_v2(handle_); }

SqliteDatabase::SqliteDatabase(SqliteDatabase&& other) noexcept
    : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, nullptr)) {}

SqliteDatabase& SqliteDatabase::operator=(SqliteDatabase&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(handle_, other.handle_);
  return *this;
}

void SqliteDatabase::execute(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

void SqliteDatabase::fail() const {
  const std::string reason = sqlite3_errmsg(handle_);
  switch (sqlite3_errcode(handle_) & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw LedgerBusyError(kLedgerBusy,
                            fmt::format("another process has held the ledger '{}' for {} s.", path_,
                                        kBusyMilliseconds / 1000),
                            "Try again; nothing was spent.");
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      throw WriteError(kWriteFailed, fmt::format("the ledger '{}': {}.", path_, reason),
                       "Check the disk and the permissions of the ledger and its folder.");
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    default:
      throw InputError(kDamagedLedger, fmt::format("this is not an intact ledger: {}.", reason),
                       "Restore it from a backup, and compare with the bundles of its runs.",
                       {path_, 0, 0});
  }
}

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

SqliteStatement::SqliteStatement(SqliteDatabase& database, const char* sql) : database_(database) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database.handle(), sql, -1, &statement, nullptr) != SQLITE_OK) {
    database.fail();
  }
  statement_.reset(statement);
}

SqliteStatement& SqliteStatement::bind(int parameter, std::string_view text) {
  if (sqlite3_bind_text(statement_.get(), parameter, text.data(), static_cast<int>(text.size()),
                        SQLITE_TRANSIENT) != SQLITE_OK) {
    database_.fail();
  }
  return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, std::int64_t number) {
  if (sqlite3_bind_int64(statement_.get(), parameter, number) != SQLITE_OK) database_.fail();
  return *this;
}

bool SqliteStatement::step() {
  const int result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) database_.fail();
  return false;
}

std::int64_t SqliteStatement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string SqliteStatement::text(int column) const {
  const auto* bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

SqliteTransaction::SqliteTransaction(SqliteDatabase& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

SqliteTransaction::~SqliteTransaction() {
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void SqliteTransaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace dpvi
