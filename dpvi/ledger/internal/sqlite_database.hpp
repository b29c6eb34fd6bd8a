#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace dpvi {

// `read_archived` is for a file that nobody changes, in a folder where no lock can be made.
enum class SqliteAccess { read, read_archived, write };

// A connection to an SQLite file. Errors become InputError DP603 (not a database), LedgerBusyError
// DP602 (locked for more than 30 s) or WriteError DP401 (the disk failed).
class SqliteDatabase {
 public:
  // `path` must be a regular file. An empty file becomes an empty database if access is `write`.
  SqliteDatabase(const std::string& path, SqliteAccess access);
  ~SqliteDatabase();
  SqliteDatabase(SqliteDatabase&&) noexcept;
  SqliteDatabase& operator=(SqliteDatabase&&) noexcept;

  void execute(const char* sql);
  const std::string& path() const { return path_; }
  sqlite3* handle() const { return handle_; }
  [[noreturn]] void fail() const;

 private:
  explicit SqliteDatabase(std::string path);

  std::string path_;
  sqlite3* handle_ = nullptr;
};

// One statement with its parameters, numbered from 1, and its columns, numbered from 0.
class SqliteStatement {
 public:
  SqliteStatement(SqliteDatabase& database, const char* sql);

  SqliteStatement& bind(int parameter, std::string_view text);
  SqliteStatement& bind(int parameter, std::int64_t number);
  // Returns true if there is another row.
  bool step();
  std::int64_t integer(int column) const;
  std::string text(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  SqliteDatabase& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

// A transaction that holds the write lock from the start. It is rolled back unless committed.
class SqliteTransaction {
 public:
  explicit SqliteTransaction(SqliteDatabase& database);
  ~SqliteTransaction();
  SqliteTransaction(const SqliteTransaction&) = delete;
  SqliteTransaction& operator=(const SqliteTransaction&) = delete;

  // Returns after the changes are on disk.
  void commit();

 private:
  SqliteDatabase& database_;
  bool open_ = true;
};

}  // namespace dpvi
