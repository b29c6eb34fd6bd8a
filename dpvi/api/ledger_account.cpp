#include <dpvi/api/ledger_account.hpp>

#include <fmt/format.h>
#include <sys/stat.h>
#include <toml++/toml.h>

#include <array>
#include <utility>

#include <dpvi/api/version.hpp>
#include <dpvi/api/write_bundle.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>
#include <dpvi/base/sha256.hpp>
#include <dpvi/data/byte_source.hpp>
#include <dpvi/data/text_file.hpp>
#include <dpvi/report/bundle_writer.hpp>
#include <dpvi/report/plan_record.hpp>

namespace dpvi {
namespace {

constexpr const char* kFolderSettings = "dpvi.toml";

LedgerRun ledger_run_of(const PlannedFit& planned) {
  const auto& unit = planned.binding().unit;
  return {.mechanisms = mechanisms_of(planned.privacy().run),
          .clip_bound = planned.plan().loop().clip.first_bound,
          .adjacency = planned.privacy().adjacency,
          .unit = unit ? unit->name : std::string(kRowUnit),
          .model_sha256 = sha256_hex(planned.bound().program.inputs().text),
          .plan_sha256 = sha256_hex(plan_record(planned.privacy()))};
}

// The fingerprint is of the decompressed bytes, so that compressing a table does not change it.
std::string fingerprint_of(const std::string& path, DataFingerprint fingerprint) {
  const std::unique_ptr<ByteSource> source = open_bytes(path);
  std::array<char, 1 << 16> chunk;
  for (std::size_t got; (got = source->read(chunk.data(), chunk.size())) > 0;) {
    fingerprint.add({chunk.data(), got});
  }
  return fingerprint.finish();
}

[[noreturn]] void refuse_settings(const std::string& file, const toml::source_region& place,
                                  const std::string& what) {
  throw InputError(
      kBadSchema, what, "Write: ledger = \"FILE\".",
      {file, static_cast<int>(place.begin.line), static_cast<int>(place.begin.column)});
}

std::string ledger_in(const std::string& file) {
  try {
    const toml::table table = toml::parse(read_whole_file(file), file);
    for (const auto& [key, node] : table) {
      if (key.str() != "ledger") {
        refuse_settings(file, key.source(), fmt::format("unknown key '{}'.", key.str()));
      }
      if (!node.is_string()) refuse_settings(file, node.source(), "ledger must be a string.");
    }
    return table["ledger"].value_or(std::string());
  } catch (const toml::parse_error& error) {
    refuse_settings(file, error.source(), "the file is not TOML.");
  }
}

// If the ledger fails now, the result is paid for and not lost. If the entry was forgiven, it must
// not leave.
void publish_or_save(LedgerAccount& account, const BundleFiles& bundle) {
  try {
    account.publish(bundle.manifest_sha256);
  } catch (const BudgetError&) {
    throw;
  } catch (const Error& error) {
    throw WriteError(kWriteFailed, error.message(), save_elsewhere(bundle));
  }
}

}  // namespace

std::optional<std::string> ledger_beside(const std::string& table_file) {
  const std::filesystem::path folder = std::filesystem::path(table_file).parent_path();
  const std::filesystem::path settings = folder / kFolderSettings;
  if (!std::filesystem::is_regular_file(settings)) return std::nullopt;
  const std::string ledger = ledger_in(settings.string());
  if (ledger.empty()) return std::nullopt;
  return (folder / ledger).string();
}

void create_ledger(const std::string& ledger_file, const LedgerTerms& terms,
                   const std::string& table_file) {
  if (!table_file.empty()) static_cast<void>(open_bytes(table_file));  // throws if it is missing
  Ledger::create(ledger_file, terms);
  if (table_file.empty()) return;
  Ledger ledger(ledger_file);
  ledger.add_data({fingerprint_of(table_file, ledger.new_fingerprint())});
}

LedgerAccount::FileIdentity LedgerAccount::identity_of(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) {
    throw MissingInputError(kFileMissing, fmt::format("'{}' cannot be read.", path),
                            "Check the path and its permissions.");
  }
  if (!S_ISREG(found.st_mode)) {
    throw InputError(kOtherLedger,
                     "a ledger needs a table in a file, which it reads twice; this is not a file.",
                     "Save the table to a file.", {path, 0, 0});
  }
  return {found.st_dev, found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

LedgerAccount::LedgerAccount(const LedgerChoice& choice, const PlannedFit& planned,
                             const TableFile& table)
    : ledger_(choice.file),
      run_(ledger_run_of(planned)),
      rule_{planned.privacy().adjacency, planned.privacy().delta, planned.privacy().solver},
      table_file_(table.path),
      data_version_(choice.data_version),
      table_(identity_of(table.path)) {
  ledger_.check(run_, rule_);
}

void LedgerAccount::charge() {
  const std::string fingerprint = fingerprint_of(table_file_, ledger_.new_fingerprint());
  if (identity_of(table_file_) != table_) {
    throw InputError(kOtherLedger, "the table was changed while it was read.",
                     "Run the fit again; nothing was spent.", {table_file_, 0, 0});
  }
  const std::int64_t reserved = ledger_.reserve(run_, {fingerprint, data_version_}, rule_);
  const std::int64_t entry = ledger_.start(reserved, rule_);
  const LedgerHead head = ledger_.state().head();
  mark_ = {.ledger = head.ledger, .entry = entry, .position = head.position, .head = head.hash};
}

void LedgerAccount::publish(const std::string& manifest_sha256) {
  ledger_.publish(mark_.entry, manifest_sha256);
}

void LedgerAccount::release() { ledger_.release(mark_.entry); }

FitResult fit(OpenedFit opened, LedgerAccount& account, const FitExecution& execution) {
  account.charge();
  FitResult result = fit(std::move(opened), execution);
  result.ledger = account.mark();
  return result;
}

bool write_bundle(const FitResult& result, LedgerAccount& account,
                  const std::filesystem::path& folder) {
  const BundleFiles bundle = bundle_files(result, library_version());
  publish_or_save(account, bundle);
  write_paid_files(bundle, folder);
  // The release is the rename. What follows is only its record.
  try {
    account.release();
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace dpvi
