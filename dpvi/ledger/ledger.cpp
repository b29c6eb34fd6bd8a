#include <dpvi/ledger/ledger.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include <dpvi/base/error.hpp>
#include <dpvi/base/open_file.hpp>
#include <dpvi/base/sha256.hpp>
#include <dpvi/base/utc_clock.hpp>
#include <dpvi/base/working_folder.hpp>
#include <dpvi/ledger/head_witness.hpp>
#include <dpvi/ledger/internal/ledger_file.hpp>
#include <dpvi/ledger/internal/ledger_json.hpp>
#include <dpvi/ledger/internal/sqlite_database.hpp>
#include <dpvi/random/kernel_bytes.hpp>
#include <dpvi/random/key_memory.hpp>

namespace dpvi {
namespace {

namespace fs = std::filesystem;

std::string random_hex(std::size_t bytes) {
  std::vector<std::uint8_t> random(bytes);
  fill_from_kernel(random);
  std::string hex;
  for (const std::uint8_t byte : random) hex += fmt::format("{:02x}", byte);
  return hex;
}

[[noreturn]] void refuse_creation(const std::string& path, int error_number) {
  throw CannotCreateError(
      kCannotCreate, fmt::format("'{}' cannot be created: {}.", path, error_text(error_number)),
      "Choose a name that is not taken, in a folder that exists and is writable.");
}

std::vector<LedgerLine> read_lines_of(SqliteDatabase& database) {
  std::vector<LedgerLine> lines;
  SqliteStatement select(database,
                         "SELECT position, time, kind, body, hash FROM line ORDER BY position");
  while (select.step()) {
    lines.push_back(
        {select.integer(0), select.text(1), select.text(2), select.text(3), select.text(4)});
  }
  return lines;
}

void write_line(SqliteDatabase& database, const LedgerLine& line) {
  SqliteStatement insert(database, "INSERT INTO line VALUES (?1, ?2, ?3, ?4, ?5)");
  insert.bind(1, line.position).bind(2, line.time).bind(3, line.kind).bind(4, line.body);
  insert.bind(5, line.hash).step();
}

LedgerLine line_after(std::int64_t position, const std::string& previous, std::string kind,
                      std::string body) {
  LedgerLine line{position + 1, utc_now(), std::move(kind), std::move(body), {}};
  line.hash = hash_of(line, previous);
  return line;
}

KeyText key_of(SqliteDatabase& database, const LedgerState& state) {
  SqliteStatement select(database, "SELECT fingerprint_key FROM secret");
  if (!select.step()) refuse_altered(database.path(), "the ledger has lost its fingerprint key.");
  std::string read = select.text(0);
  KeyText key = taken_key(read);
  if (sha256_hex(key) != state.key_sha256) {
    refuse_altered(database.path(), "the fingerprint key was altered.");
  }
  return key;
}

LedgerState state_in(SqliteDatabase& database) {
  // Other processes append lines at the same time, so the witness is read first.
  const auto witness = read_witness(database.path());
  LedgerState state = replay(read_lines_of(database), database.path());
  if (witness && witness->ledger == state.id && !state.had(*witness)) {
    refuse_altered(database.path(),
                   fmt::format("this is an older copy: it ends at line {}, but line {} has been "
                               "written.",
                               state.head().position, witness->position));
  }
  if (witness && witness->ledger == state.id) state.witnessed = witness->position;
  return state;
}

std::string text_of(const LedgerJson& body) {
  return body.dump(-1, ' ', false, LedgerJson::error_handler_t::replace);
}

std::string id_body(std::int64_t id) { return text_of({{"id", id}}); }

void fill_new_ledger(const std::string& path, const LedgerTerms& terms) {
  SqliteDatabase database(path, SqliteAccess::write);
  database.execute("PRAGMA journal_mode = WAL");
  for (const char* object : {kLineTable, kSecretTable, kUpdateTrigger, kDeleteTrigger}) {
    database.execute(object);
  }
  std::string made = random_hex(32);
  const KeyText key = taken_key(made);
  LedgerJson body = {{"format", 1}, {"ledger", random_hex(16)}, {"key_sha256", sha256_hex(key)}};
  body.update(json_of(terms));
  SqliteTransaction transaction(database);
  SqliteStatement(database, "INSERT INTO secret VALUES (?1)").bind(1, key).step();
  write_line(database, line_after(0, "", "init", text_of(body)));
  transaction.commit();
}

// Adds the line that makes the table known, if it is new. Returns the version of the table.
std::string version_of(const LedgerState& state, const RunData& data,
                       std::vector<std::pair<std::string, std::string>>& lines) {
  const auto by_fingerprint =
      std::ranges::find(state.data, data.fingerprint, &DataVersion::fingerprint);
  if (by_fingerprint != state.data.end()) {
    if (data.version.empty() || data.version == by_fingerprint->name) return by_fingerprint->name;
    throw InputError(kOtherLedger,
                     fmt::format("the table is version '{}' of the ledger's data set, not '{}'.",
                                 by_fingerprint->name, data.version),
                     "Leave out --data-version.");
  }
  if (!state.data.empty() && data.version.empty()) {
    throw InputError(kOtherLedger, "the table is not one that this ledger counts.",
                     "If it is a new version of the same data set, name it: --data-version NAME; "
                     "its cost adds to that of the others. Another data set needs its own ledger.");
  }
  std::string name = data.version.empty() ? "1" : data.version;
  if (std::ranges::find(state.data, name, &DataVersion::name) != state.data.end()) {
    throw InputError(kOtherLedger,
                     fmt::format("version '{}' of the data set is another table.", name),
                     "Choose a new name for this version.");
  }
  lines.emplace_back("data", text_of({{"version", name}, {"fingerprint", data.fingerprint}}));
  return name;
}

void check_kind(const LedgerTerms& terms, const LedgerRun& run) {
  if (run.unit != terms.unit) {
    throw InputError(kOtherLedger,
                     fmt::format("a record of the run is '{}'; the ledger counts for '{}'.",
                                 run.unit, terms.unit),
                     "Use a ledger for this unit.");
  }
  if (terms.filter == FilterKind::full_participation && !is_full_participation(run.mechanisms)) {
    throw InputError(kOtherLedger,
                     "the run samples records; this ledger takes runs of full participation only.",
                     "Give --sampling-rate 1, or use a ledger made with --filter mixed.");
  }
}

void check_run(const LedgerState& state, const LedgerRun& run, const ClaimRule& rule) {
  check_kind(state.terms, run);
  validate(run.mechanisms);
  const PrivacyFilter filter(state.terms);
  if (const auto numbers = why_refused(filter, charged_run(state), run, rule)) {
    throw BudgetRefusal(state.terms, *numbers);
  }
}

const LedgerEntry& entry_in(const LedgerState& state, std::int64_t id) {
  if (const LedgerEntry* entry = state.entry(id)) return *entry;
  throw UsageError(kNotForgivable, fmt::format("the ledger has no entry {}.", id),
                   "'dpvi budget LEDGER show' lists the entries.");
}

// Of several processes with the same run, only the last one that began goes on.
void require_attempt(const LedgerEntry& entry, std::int64_t attempt) {
  if (entry.state != EntryState::reserved) {
    throw BudgetError(kOverBudget,
                      fmt::format("entry {} was forgiven while the run went on.", entry.id),
                      "Its result is not published. Run the fit again.");
  }
  if (entry.attempt == attempt) return;
  throw BudgetError(kOverBudget,
                    fmt::format("another process has resumed the run of entry {}.", entry.id),
                    "Only that process can publish a result.");
}

std::string body_of(std::int64_t id, std::int64_t attempt, const SavedSteps& saved) {
  return text_of({{"id", id}, {"attempt", attempt}, {"steps", saved.steps}, {"tag", saved.tag}});
}

}  // namespace

struct Ledger::File {
  SqliteDatabase database;
  LedgerState state;
  KeyText key;
};

void Ledger::create(const std::string& path, const LedgerTerms& terms,
                    const std::function<void(Ledger&)>& fill) {
  validate(terms);
  const WorkingFolder folder(path);
  if (!folder.is_open()) refuse_creation(path, errno);
  const std::string temporary = (folder.path() / "ledger").string();
  const bool made = OpenFile(temporary, O_CREAT | O_EXCL | O_WRONLY, 0600).is_open();
  if (!made) refuse_creation(path, errno);
  fill_new_ledger(temporary, terms);
  if (fill) {
    Ledger ledger(temporary);
    fill(ledger);
  }
  const bool renamed =
      ::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0;
  if (!renamed) refuse_creation(path, errno);
  ::unlink((path + ".head").c_str());  // of a ledger that had this name before
  sync_folder(parent_folder(path));
}

LedgerState Ledger::read(const std::string& path) {
  const std::string file = ledger_file(path);
  SqliteDatabase database(file, reading_access(file));
  require_ledger_objects(database);
  LedgerState state = state_in(database);
  static_cast<void>(key_of(database, state));
  return state;
}

LedgerState Ledger::current(const std::string& path) {
  const std::string file = ledger_file(path);
  return reading_access(file) == SqliteAccess::read_archived ? read(file) : Ledger(file).state();
}

Ledger::Ledger(const std::string& path) {
  SqliteDatabase database(ledger_file(path), SqliteAccess::write);
  require_ledger_objects(database);
  LedgerState state = state_in(database);
  KeyText key = key_of(database, state);
  file_ = std::make_unique<File>(File{std::move(database), std::move(state), std::move(key)});
  void_unstarted();
}

Ledger::~Ledger() = default;
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;

const LedgerState& Ledger::state() const { return file_->state; }

DataFingerprint Ledger::new_fingerprint() const { return DataFingerprint(file_->key); }

// Every decision is made on the lines as they are under the write lock.
void Ledger::append(const std::function<NewLines(const LedgerState&)>& decide) {
  SqliteTransaction transaction(file_->database);
  LedgerState state = state_in(file_->database);
  const NewLines wanted = decide(state);
  std::vector<LedgerLine> lines = state.lines;
  for (const auto& [kind, body] : wanted) {
    lines.push_back(line_after(lines.back().position, lines.back().hash, kind, body));
    write_line(file_->database, lines.back());
  }
  transaction.commit();
  file_->state =
      wanted.empty() ? std::move(state) : replay(std::move(lines), file_->database.path());
  raise_witness(file_->database.path(), file_->state.head());
}

void Ledger::void_unstarted() {
  const auto is_unstarted = [](const LedgerEntry& entry) {
    return entry.state == EntryState::reserved && !entry.started;
  };
  if (std::ranges::none_of(file_->state.entries, is_unstarted)) return;
  append([&](const LedgerState& state) {
    NewLines lines;
    for (const LedgerEntry& entry : state.entries) {
      if (is_unstarted(entry)) lines.emplace_back("void", id_body(entry.id));
    }
    return lines;
  });
}

void Ledger::add_data(const RunData& data) {
  append([&](const LedgerState& state) {
    NewLines lines;
    version_of(state, data, lines);
    return lines;
  });
}

void Ledger::check(const LedgerRun& run, const ClaimRule& rule) const {
  check_run(file_->state, run, rule);
}

Ledger::NewLines Ledger::reservation(const LedgerState& state, const LedgerRun& run,
                                     const RunData& data, const ClaimRule& rule) const {
  NewLines lines;
  const std::string version = version_of(state, data, lines);
  check_run(state, run, rule);
  LedgerJson body = {{"id", state.entries.size() + 1}};
  body.update(json_of(run));
  body["data_version"] = version;
  lines.emplace_back("reserve", text_of(body));
  return lines;
}

std::int64_t Ledger::reserve(const LedgerRun& run, const RunData& data, const ClaimRule& rule) {
  append([&](const LedgerState& state) { return reservation(state, run, data, rule); });
  return file_->state.entries.back().id;
}

std::int64_t Ledger::start(std::int64_t id, const ClaimRule& rule) {
  append([&](const LedgerState& state) {
    const LedgerEntry& entry = entry_in(state, id);
    if (entry.state == EntryState::reserved) return NewLines{{"start", id_body(id)}};
    const auto version = std::ranges::find(state.data, entry.data_version, &DataVersion::name);
    NewLines lines = reservation(state, entry.run, {version->fingerprint, version->name}, rule);
    id = static_cast<std::int64_t>(state.entries.size()) + 1;
    lines.emplace_back("start", id_body(id));
    return lines;
  });
  return id;
}

std::string Ledger::derived_key(const std::string& text) const {
  DataFingerprint key(file_->key);
  key.add("derived key: ");
  key.add(text);
  return key.finish();
}

void Ledger::save(std::int64_t id, const SavedSteps& saved) {
  append([&](const LedgerState& state) {
    require_attempt(entry_in(state, id), saved.attempt);
    return NewLines{{"save", body_of(id, saved.attempt, saved)}};
  });
}

std::int64_t Ledger::resume(std::int64_t id, const SavedSteps& saved) {
  append([&](const LedgerState& state) {
    const LedgerEntry& entry = entry_in(state, id);
    const bool same = saved.steps != entry.saved_steps || saved.tag == entry.saved_tag;
    if (entry.state != EntryState::reserved || saved.steps < entry.saved_steps || !same) {
      throw InputError(
          kOtherLedger,
          fmt::format("entry {} is {} with {} saved steps; the checkpoint, with {}, cannot be "
                      "resumed.",
                      id, name_of(entry.state), entry.saved_steps, saved.steps),
          "Delete it, and fit again.");
    }
    return NewLines{{"resume", body_of(id, entry.attempt + 1, saved)}};
  });
  return entry_in(file_->state, id).attempt;
}

void Ledger::publish(std::int64_t id, const std::string& manifest_sha256, std::int64_t attempt) {
  append([&](const LedgerState& state) {
    require_attempt(entry_in(state, id), attempt);
    return NewLines{{"publish", text_of({{"id", id}, {"manifest_sha256", manifest_sha256}})}};
  });
}

void Ledger::release(std::int64_t id) {
  append([&](const LedgerState&) { return NewLines{{"release", id_body(id)}}; });
}

void Ledger::forgive(std::int64_t id, const std::string& who, const std::string& why) {
  append([&](const LedgerState& state) {
    const LedgerEntry& entry = entry_in(state, id);
    if (entry.state != EntryState::reserved || entry.published) {
      throw UsageError(
          kNotForgivable,
          fmt::format("entry {} is {}{}; only a run that has published nothing can be forgiven.",
                      id, name_of(entry.state), entry.published ? " and may be published" : ""),
          "What has left stays spent.");
    }
    return NewLines{{"forgive", text_of({{"id", id}, {"who", who}, {"why", why}})}};
  });
}

}  // namespace dpvi
