#include <dpvi/api/ledger_account.hpp>

#include <fmt/format.h>
#include <sys/stat.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <utility>

#include <dpvi/api/store_seal.hpp>
#include <dpvi/api/table_fingerprint.hpp>
#include <dpvi/api/version.hpp>
#include <dpvi/api/write_bundle.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>
#include <dpvi/base/sha256.hpp>
#include <dpvi/data/byte_source.hpp>
#include <dpvi/data/text_file.hpp>
#include <dpvi/data/toml_shape.hpp>
#include <dpvi/privacy/adjacency_names.hpp>
#include <dpvi/report/bundle_writer.hpp>
#include <dpvi/report/plan_record.hpp>

namespace dpvi {
namespace {

namespace fs = std::filesystem;

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

LedgerTotal total_of(const LedgerState& state) {
  const LedgerTerms& terms = state.terms;
  return {.spent_epsilon = PrivacyFilter(terms).spent_epsilon(charged_run(state)),
          .budget_epsilon = terms.epsilon,
          .budget_delta = terms.delta,
          .adjacency = std::string(name_of(terms.adjacency)),
          .runs = std::ranges::count_if(state.entries, &LedgerEntry::is_charged)};
}

[[noreturn]] void refuse_settings(const std::string& file, const toml::source_region& place,
                                  const std::string& what) {
  throw InputError(
      kBadSchema, what, "Write: ledger = \"FILE\".",
      {file, static_cast<int>(place.begin.line), static_cast<int>(place.begin.column)});
}

std::string ledger_in(const std::string& file) {
  try {
    const std::string text = read_whole_file(file);
    if (line_of_deep_key(text)) refuse_settings(file, {}, "a key has more than 64 parts.");
    const toml::table table = toml::parse(text, file);
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

std::optional<std::string> ledger_of_folder(const fs::path& folder) {
  const fs::path settings = folder / kFolderSettings;
  if (!fs::is_regular_file(settings)) return std::nullopt;
  const std::string ledger = ledger_in(settings.string());
  if (ledger.empty()) return std::nullopt;
  return (folder / ledger).string();
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
  const fs::path named(table_file);
  if (auto ledger = ledger_of_folder(named.parent_path())) return ledger;
  std::error_code failed;
  if (!fs::is_symlink(named, failed)) return std::nullopt;
  const fs::path followed = fs::canonical(named, failed);
  return failed ? std::nullopt : ledger_of_folder(followed.parent_path());
}

void create_ledger(const std::string& ledger_file, const LedgerTerms& terms,
                   const std::string& table_file) {
  if (!table_file.empty()) static_cast<void>(open_bytes(table_file));  // throws if it is missing
  Ledger::create(ledger_file, terms, [&](Ledger& ledger) {
    if (table_file.empty()) return;
    ledger.add_data(
        {fingerprint_of(TableFile{table_file}, [&] { return ledger.new_fingerprint(); })});
  });
}

std::optional<LedgerAccount::FileIdentity> LedgerAccount::identity_of(const Table& table) {
  const auto* file = std::get_if<TableFile>(&table);
  if (file == nullptr) return std::nullopt;
  const std::string& path = file->path;
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
  return FileIdentity{found.st_dev, found.st_ino, found.st_size, found.st_mtim.tv_sec,
                      found.st_mtim.tv_nsec};
}

LedgerAccount::LedgerAccount(const LedgerChoice& choice, const PlannedFit& planned, Table table)
    : ledger_(choice.file),
      run_(ledger_run_of(planned)),
      rule_{planned.privacy().adjacency, planned.privacy().delta, planned.privacy().solver},
      table_(std::move(table)),
      data_version_(choice.data_version),
      identity_(identity_of(table_)),
      checkpoint_settings_{choice.checkpoint, choice.checkpoint_seconds} {
  if (!choice.checkpoint.empty()) resumes_ = Checkpoint::owner(choice.checkpoint);
  forget_unstarted_run();
  if (resumes_) {
    static_cast<void>(entry_to_resume());
  } else {
    ledger_.check(run_, rule_);
  }
}

// A process that died between reservation and start has left a file without steps.
void LedgerAccount::forget_unstarted_run() {
  const LedgerState& state = ledger_.state();
  if (!resumes_ || resumes_->ledger != state.id) return;
  const LedgerEntry* entry = state.entry(resumes_->entry);
  if (entry == nullptr || entry->started) return;
  fs::remove(checkpoint_settings_.path);
  resumes_.reset();
}

const LedgerEntry& LedgerAccount::entry_to_resume() const {
  const LedgerState& state = ledger_.state();
  const LedgerEntry* entry = state.entry(resumes_->entry);
  const char* what = nullptr;
  if (resumes_->ledger != state.id) what = "the checkpoint belongs to another ledger.";
  if (what == nullptr && entry == nullptr) {
    what = "the ledger does not know the run of the checkpoint.";
  }
  if (what == nullptr && entry->run != run_) {
    what = "the checkpoint is of a run with another model, plan or unit.";
  }
  if (what == nullptr && entry->state == EntryState::released) {
    what = "the result of the checkpoint's run was released.";
  }
  if (what == nullptr && entry->state != EntryState::reserved) {
    what = "the run of the checkpoint was forgiven or voided.";
  }
  if (what == nullptr) return *entry;
  throw InputError(kOtherLedger, what, "Choose a new file, and the fit starts anew.",
                   {checkpoint_settings_.path, 0, 0});
}

Checkpoint::KeyOf LedgerAccount::key_of() {
  return [this](const std::string& text) {
    const std::string hex = ledger_.derived_key(text);
    StepSeal::Key key{};
    for (std::size_t i = 0; i < key.size(); ++i) {
      key[i] = static_cast<std::uint8_t>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
    }
    return key;
  };
}

// A ledger that is busy or whose disk is full does not end a run that is paid for; an entry that is
// no longer this process's does.
Checkpoint::OnSave LedgerAccount::on_save() {
  return [this](const CheckpointMark& mark) {
    try {
      ledger_.save(mark_.entry, {mark.attempt, mark.steps, mark.tag});
    } catch (const BudgetError&) {
      throw;
    } catch (const Error&) {
      return;
    }
  };
}

std::int64_t LedgerAccount::charge_anew(const std::string& fingerprint) {
  const std::int64_t reserved = ledger_.reserve(run_, {fingerprint, data_version_}, rule_);
  // The file exists before the run can count as started: from then on a crash can be resumed.
  begin_checkpoint(reserved);
  const std::int64_t entry = ledger_.start(reserved, rule_);
  if (entry != reserved && checkpoint_) {
    checkpoint_->remove();
    begin_checkpoint(entry);
  }
  return entry;
}

void LedgerAccount::begin_checkpoint(std::int64_t entry) {
  if (checkpoint_settings_.path.empty()) return;
  mark_.entry = entry;
  checkpoint_ = std::make_unique<Checkpoint>(
      checkpoint_settings_, Checkpoint::Owner{ledger_.state().id, entry}, key_of(), on_save());
  checkpoint_->start_attempt(0);
}

// The run is charged already. It goes on with the same table alone.
std::int64_t LedgerAccount::charge_again(const std::string& fingerprint) {
  const LedgerEntry& entry = entry_to_resume();
  const auto& known = ledger_.state().data;
  const auto version = std::ranges::find(known, entry.data_version, &DataVersion::name);
  if (version == known.end() || version->fingerprint != fingerprint) {
    throw InputError(kOtherLedger, "the table is not the one that the run began with.",
                     "Resume with that table.", {name_of(table_), 0, 0});
  }
  mark_.entry = entry.id;
  checkpoint_ = std::make_unique<Checkpoint>(
      checkpoint_settings_, *resumes_,
      CheckpointMark{entry.attempt, entry.saved_steps, entry.saved_tag}, key_of(), on_save());
  const CheckpointMark& mark = checkpoint_->mark();
  attempt_ = ledger_.resume(mark_.entry, {mark.attempt, mark.steps, mark.tag});
  resumed_steps_ = mark.steps;
  checkpoint_->start_attempt(attempt_);
  return mark_.entry;
}

void LedgerAccount::save() {
  if (checkpoint_) checkpoint_->save();
}

// A record store that was packed for this ledger has the fingerprint of its table. That it still
// has its content was checked when its records were opened.
std::string LedgerAccount::fingerprint() const {
  if (!parts_.empty()) return fingerprint_of_parts();
  const auto* file = std::get_if<TableFile>(&table_);
  if (file == nullptr || !is_record_store(file->path)) {
    return fingerprint_of(table_, [this] { return ledger_.new_fingerprint(); });
  }
  if (auto sealed = sealed_fingerprint(ledger_, RecordStore(file->path))) return *sealed;
  std::string own = fingerprint_of(table_, [this] { return ledger_.new_fingerprint(); });
  const std::vector<DataVersion>& known = ledger_.state().data;
  const bool is_new = !known.empty() && data_version_.empty() &&
                      std::ranges::find(known, own, &DataVersion::fingerprint) == known.end();
  if (!is_new) return own;
  throw InputError(kOtherLedger,
                   "the record store was not packed for this ledger, which therefore cannot know "
                   "its table.",
                   "Pack the table again with 'dpvi pack --ledger' and this ledger.",
                   {file->path, 0, 0});
}

std::string LedgerAccount::fingerprint_of_parts() const {
  DataFingerprint all = ledger_.new_fingerprint();
  all.add("parts");
  for (const std::string& digest : parts_) all.add("\n" + digest);
  return all.finish();
}

void LedgerAccount::charge() {
  const std::string fingerprint = this->fingerprint();
  if (identity_of(table_) != identity_) {
    throw InputError(kOtherLedger, "the table was changed while it was read.",
                     "Run the fit again; nothing was spent.", {name_of(table_), 0, 0});
  }
  const std::int64_t entry = resumes_ ? charge_again(fingerprint) : charge_anew(fingerprint);
  const LedgerHead head = ledger_.state().head();
  mark_ = {.ledger = head.ledger,
           .entry = entry,
           .position = head.position,
           .head = head.hash,
           .total = total_of(ledger_.state())};
}

void LedgerAccount::publish(const std::string& manifest_sha256) {
  ledger_.publish(mark_.entry, manifest_sha256, attempt_);
}

void LedgerAccount::release() {
  ledger_.release(mark_.entry);
  if (checkpoint_) checkpoint_->remove();
}

FitResult fit(OpenedFit opened, LedgerAccount& account, const FitExecution& execution) {
  account.charge();
  FitExecution counted = execution;
  counted.recorded = account.recorded();
  FitResult result = [&] {
    try {
      return fit(std::move(opened), counted);
    } catch (...) {
      account.save();  // an interrupted run can be resumed
      throw;
    }
  }();
  account.save();
  result.ledger = account.mark();
  return result;
}

bool write_bundle(const FitResult& result, LedgerAccount& account, const fs::path& folder) {
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
