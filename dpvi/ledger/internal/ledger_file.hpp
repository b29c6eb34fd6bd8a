#pragma once

#include <string>

#include <dpvi/ledger/internal/sqlite_database.hpp>

namespace dpvi {

// The objects of a ledger's database, each as SQLite keeps its text.
inline constexpr const char* kLineTable =
    "CREATE TABLE line (position INTEGER PRIMARY KEY, time TEXT NOT NULL, kind TEXT NOT NULL,"
    "  body TEXT NOT NULL, hash TEXT NOT NULL) STRICT";
inline constexpr const char* kSecretTable =
    "CREATE TABLE secret (fingerprint_key TEXT NOT NULL) STRICT";
inline constexpr const char* kUpdateTrigger =
    "CREATE TRIGGER line_update BEFORE UPDATE ON line"
    "  BEGIN SELECT RAISE(ABORT, 'lines are only ever appended'); END";
inline constexpr const char* kDeleteTrigger =
    "CREATE TRIGGER line_delete BEFORE DELETE ON line"
    "  BEGIN SELECT RAISE(ABORT, 'lines are only ever appended'); END";

[[noreturn]] void refuse_altered(const std::string& path, const std::string& what);

// The name of the file that holds a ledger. The files beside it have names of its own, so a link to
// the file is followed here. Throws MissingInputError if there is no file, and InputError DP603 if
// it is no regular file, or has several names: a run does not see what runs under another name
// write.
std::string ledger_file(const std::string& path);

// How a ledger is read without changing it. A ledger in a folder that cannot be written, which no
// process has open, is read as a file that never changes.
SqliteAccess reading_access(const std::string& file);

// Throws InputError DP603 if the database holds other objects than those of a ledger: a trigger
// could drop lines, and a computed column could make a small file a large ledger.
void require_ledger_objects(SqliteDatabase& database);

}  // namespace dpvi
