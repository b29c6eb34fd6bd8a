#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dpvi/api/checkpoint.hpp>
#include <dpvi/api/fit.hpp>
#include <dpvi/api/fit_request.hpp>
#include <dpvi/api/planned_fit.hpp>
#include <dpvi/api/table.hpp>
#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/ledger/ledger.hpp>

namespace dpvi {

// A private fit that a ledger counts takes these steps:
//
//   UnopenedFit planned = plan_fit(program, table, request);
//   LedgerAccount account("study.ledger", planned.planned(), table);     // refuses what does not
//   fit FitResult result = fit(open_records(std::move(planned)), account);   // reserves, then
//   starts write_bundle(result, account, "result");                             // publishes and
//   releases

// Where a ledger is and what it shall know about a table.
struct LedgerChoice {
  std::string file;
  std::string data_version = {};  // name of a new version of the data set; empty: a known one
  // File for the steps of the run; an existing one is resumed. Empty: no checkpoint.
  std::string checkpoint = {};
  double checkpoint_seconds = 10.0;  // between two saves, at least
};

// The ledger that a dpvi.toml beside the table names, or nullopt. Throws InputError if that file
// cannot be understood.
std::optional<std::string> ledger_beside(const std::string& table_file);

// Makes a ledger, for the given table if its name is not empty; else the first fit decides.
void create_ledger(const std::string& ledger_file, const LedgerTerms& terms,
                   const std::string& table_file);

// The account of one fit in a ledger.
class LedgerAccount {
 public:
  // Opens the ledger and throws BudgetRefusal if the plan does not fit. Reads no row. A table that
  // is not a file must live until charge(), which reads it once more.
  LedgerAccount(const LedgerChoice& choice, const PlannedFit& planned, Table table);
  LedgerAccount(LedgerAccount&&) = delete;

  // The table is in parts on the ranks of a job, of which these are the digests. Call it before
  // charge(): the parts, in their order, are then the data set.
  void recognise_parts(std::vector<std::string> digests) { parts_ = std::move(digests); }

  // Call after the table was read and checked, and before the first gradient. Recognises the table
  // by its keyed fingerprint, charges the plan and records the start, durably.
  void charge();

  // Call before and after the bundle gets its final name.
  void publish(const std::string& manifest_sha256);
  void release();

  // The entry and the head at the start of the run.
  const LedgerMark& mark() const { return mark_; }
  const LedgerTerms& terms() const { return ledger_.state().terms; }

  // nullptr without a checkpoint, and before charge().
  StepStore* recorded() const { return checkpoint_.get(); }
  // Number of steps that an earlier attempt has taken.
  std::int64_t resumed_steps() const { return resumed_steps_; }
  // Writes all steps so far to the checkpoint.
  void save();

 private:
  // Tells whether a file was replaced or written to.
  struct FileIdentity {
    std::uint64_t device = 0, number = 0;
    std::int64_t size = 0, seconds = 0, nanoseconds = 0;

    bool operator==(const FileIdentity&) const = default;
  };
  static std::optional<FileIdentity> identity_of(const Table& table);

  // The entry that the checkpoint belongs to; throws InputError DP604 if it is of another run.
  const LedgerEntry& entry_to_resume() const;
  std::string fingerprint() const;
  std::string fingerprint_of_parts() const;
  void forget_unstarted_run();
  void begin_checkpoint(std::int64_t entry);
  std::int64_t charge_anew(const std::string& fingerprint);
  std::int64_t charge_again(const std::string& fingerprint);
  Checkpoint::KeyOf key_of();
  Checkpoint::OnSave on_save();

  Ledger ledger_;
  LedgerRun run_;
  ClaimRule rule_;
  Table table_;
  std::vector<std::string> parts_;  // digests; empty unless ranks have parts of the table
  std::string data_version_;
  std::optional<FileIdentity> identity_;  // of a file
  Checkpoint::Settings checkpoint_settings_;
  std::optional<Checkpoint::Owner> resumes_;  // nullopt: a new run
  std::unique_ptr<Checkpoint> checkpoint_;
  std::int64_t attempt_ = 0, resumed_steps_ = 0;
  LedgerMark mark_;
};

// Charges the plan, then fits as without a ledger. The result names the entry.
FitResult fit(OpenedFit opened, LedgerAccount& account, const FitExecution& execution = {});

// Writes the bundle, completely or not at all. If writing fails, the plan stays charged. Returns
// false if the bundle is complete but the ledger could not record that; it stays charged too.
bool write_bundle(const FitResult& result, LedgerAccount& account,
                  const std::filesystem::path& folder);

}  // namespace dpvi
