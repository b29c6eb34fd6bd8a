#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

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
  // Opens the ledger and throws BudgetRefusal if the plan does not fit. Reads no row.
  LedgerAccount(const LedgerChoice& choice, const PlannedFit& planned, const TableFile& table);

  // Call after the table was read and checked, and before the first gradient. Recognises the table
  // by its keyed fingerprint, charges the plan and records the start, durably.
  void charge();

  // Call before and after the bundle gets its final name.
  void publish(const std::string& manifest_sha256);
  void release();

  // The entry and the head at the start of the run.
  const LedgerMark& mark() const { return mark_; }
  const LedgerTerms& terms() const { return ledger_.state().terms; }

 private:
  // Tells whether a file was replaced or written to.
  struct FileIdentity {
    std::uint64_t device = 0, number = 0;
    std::int64_t size = 0, seconds = 0, nanoseconds = 0;

    bool operator==(const FileIdentity&) const = default;
  };
  static FileIdentity identity_of(const std::string& path);

  Ledger ledger_;
  LedgerRun run_;
  ClaimRule rule_;
  std::string table_file_;
  std::string data_version_;
  FileIdentity table_;
  LedgerMark mark_;
};

// Charges the plan, then fits as without a ledger. The result names the entry.
FitResult fit(OpenedFit opened, LedgerAccount& account, const FitExecution& execution = {});

// Writes the bundle, completely or not at all. If writing fails, the plan stays charged. Returns
// false if the bundle is complete but the ledger could not record that; it stays charged too.
bool write_bundle(const FitResult& result, LedgerAccount& account,
                  const std::filesystem::path& folder);

}  // namespace dpvi
