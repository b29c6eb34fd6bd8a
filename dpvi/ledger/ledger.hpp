#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dpvi/ledger/budget_refusal.hpp>
#include <dpvi/ledger/data_fingerprint.hpp>
#include <dpvi/ledger/ledger_entry.hpp>
#include <dpvi/ledger/ledger_state.hpp>
#include <dpvi/ledger/ledger_terms.hpp>

namespace dpvi {

// Identifies the table of a run: its keyed fingerprint, and the version that the user named (empty:
// none was named).
struct RunData {
  std::string fingerprint;
  std::string version = {};
};

// What a checkpoint of a run holds.
struct SavedSteps {
  std::int64_t attempt = 0;
  std::int64_t steps = 0;
  std::string tag = {};  // of the last step
};

// The durable account of what a data set has spent: an SQLite file whose lines are only ever
// appended. Each line's hash covers the line before it.
//
// A run goes through these lines, each on disk before the call returns:
//   reserve   before the first gradient: the whole cost is charged
//   start     just before the first gradient: from now on a step may have run
//   save      after steps were written to a checkpoint, if there is one
//   resume    before the first gradient of another attempt; no other attempt can publish then
//   publish   before the bundle gets its final name
//   release   after the bundle has its final name
// A crash at any point leaves the run charged. Only a reservation without a start is voided, at the
// next opening. It can be shown that no step ran under it, and start() refuses to run it later.
//
// Guarantee: the charged runs of a ledger never exceed its budget, whatever processes do at once.
class Ledger {
 public:
  // Makes a new ledger, complete or not at all. `fill` adds lines before the ledger has its name.
  // Throws CannotCreateError if the file exists.
  static void create(const std::string& path, const LedgerTerms& terms,
                     const std::function<void(Ledger&)>& fill = {});

  // The content of a ledger, without changing it. Throws like the constructor.
  static LedgerState read(const std::string& path);

  // The content of a ledger after voiding reservations under which no step ran; an archived ledger,
  // in a folder that cannot be written, is read as it is. Throws like the constructor.
  static LedgerState current(const std::string& path);

  // Opens a ledger and voids reservations under which no step ran. Throws MissingInputError if
  // there is no such file, and InputError DP603 if it was altered or replaced by an older copy.
  explicit Ledger(const std::string& path);
  ~Ledger();
  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;

  // The content after the last action of this object.
  const LedgerState& state() const;

  // A fingerprint under this ledger's key, to be given the bytes of a table.
  DataFingerprint new_fingerprint() const;

  // Records the table that the ledger is for, before any run.
  void add_data(const RunData& data);

  // Throws BudgetRefusal if the run does not fit now, and InputError DP604 if the ledger is for
  // another unit or takes no sampled runs. Spends nothing.
  void check(const LedgerRun& run, const ClaimRule& rule) const;

  // Charges the run, or throws as check() does. Throws InputError DP604 if the table is unknown and
  // no new version was named. Returns the id of the entry.
  std::int64_t reserve(const LedgerRun& run, const RunData& data, const ClaimRule& rule);

  // Returns the id under which the run may start. It differs from `id` if another process has
  // voided the reservation, and the run was charged again.
  std::int64_t start(std::int64_t id, const ClaimRule& rule);

  // A key under the ledger's secret, in hexadecimal, for the purpose that the text names.
  std::string derived_key(const std::string& text) const;

  // Records what a checkpoint of the run holds. Throws BudgetError if the entry was forgiven, or
  // another process has resumed the run.
  void save(std::int64_t id, const SavedSteps& saved);
  // Begins a new attempt at a charged run with what a checkpoint holds. Returns its number. Throws
  // InputError DP604 if the run was forgiven or released, or if the checkpoint is stale.
  std::int64_t resume(std::int64_t id, const SavedSteps& saved);

  // Throws BudgetError if the entry was forgiven in the meantime, or resumed by another process:
  // then nothing may be published.
  void publish(std::int64_t id, const std::string& manifest_sha256, std::int64_t attempt = 0);
  void release(std::int64_t id);

  // Takes back the charge of a run whose result has never left, on the word of a person. Throws
  // UsageError DP605 for a run that may have published its result.
  void forgive(std::int64_t id, const std::string& who, const std::string& why);

 private:
  struct File;
  // Lines to append: kind and body.
  using NewLines = std::vector<std::pair<std::string, std::string>>;

  void append(const std::function<NewLines(const LedgerState&)>& decide);
  void void_unstarted();
  NewLines reservation(const LedgerState& state, const LedgerRun& run, const RunData& data,
                       const ClaimRule& rule) const;

  std::unique_ptr<File> file_;
};

}  // namespace dpvi
