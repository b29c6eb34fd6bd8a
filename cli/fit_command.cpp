#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <dpvi/api/fit.hpp>
#include <dpvi/api/ledger_account.hpp>
#include <dpvi/api/table_files.hpp>
#include <dpvi/api/unprotected_fit.hpp>
#include <dpvi/api/write_bundle.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/random/key_memory.hpp>
#include <dpvi/report/reserved_space.hpp>

#include "command.hpp"
#include "console.hpp"
#include "fit_flags.hpp"
#include "fit_output.hpp"
#include "interrupt.hpp"
#include "model_flags.hpp"
#include "numbers.hpp"
#include "progress.hpp"

namespace dpvi::cli {
namespace {

constexpr const char* kNoLedger = "none";

// A size such as 500M.
std::uint64_t parse_bytes(const std::string& name, const std::string& text) {
  constexpr std::string_view kUnits = "KMG";
  const std::size_t unit = text.empty() ? std::string::npos : kUnits.find(text.back());
  const bool has_unit = unit != std::string::npos;
  constexpr std::int64_t kMost = std::int64_t{1} << 32;
  const std::int64_t number =
      parse_whole_in(name, has_unit ? text.substr(0, text.size() - 1) : text, 0, kMost);
  return static_cast<std::uint64_t>(number) << (has_unit ? 10 * (unit + 1) : 0);
}

class FitCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Fits a Stan program to private records; writes a bundle that may be published.");
    model_.declare(app);
    app.add_option("DATA", data_, "records: CSV (also .gz, .zst), Stan JSON or a record store");
    app.add_option("--out", out_, "folder to write the bundle to");
    app.add_option("--ledger", ledger_,
                   "ledger that counts the fit, or 'none' (default: the one that dpvi.toml beside "
                   "DATA names)");
    app.add_option("--data-version", data_version_,
                   "name of a changed table, whose cost adds to that of the ledger's others");
    app.add_option(
        "--checkpoint", checkpoint_,
        "file for the steps of a fit that a ledger counts; if it exists, the fit goes on "
        "from it");
    app.add_option("--checkpoint-seconds", checkpoint_seconds_,
                   "time between two saves, at least (default 10)")
        ->group("");
    app.add_option("--memory", memory_,
                   "records of a store beyond this are read again in every step: a number with K, "
                   "M or G (default 1G)");
    app.add_flag("--one-row-per-person", one_row_per_person_,
                 "declare that no person has two rows, as the schema can");
    app.add_option("--title", title_, "title of the study, for the statement");
    flags_.declare(app);
    declare_common(app);
    app.footer("Example:\n  dpvi fit model.stan records.csv --epsilon 1 --out result");
  }

  std::string run() override {
    flags_.check();
    check_ledger_flags();
    static_cast<void>(memory());
    if (flags_.dry_run()) return dry_run();
    if (out_.empty()) {
      throw UsageError(kContradiction, "--out is missing.", "Name the folder for the bundle.");
    }
    return flags_.non_private() ? fit_unprotected() : fit_privately();
  }

 private:
  RecordMemory memory() const { return {parse_bytes("--memory", memory_)}; }
  std::string dry_run() const;
  std::string fit_privately() const;
  std::string fit_unprotected() const;
  ProgramSource source() const;
  Program program_before_data() const;
  void check_ledger_flags() const;
  std::optional<LedgerChoice> ledger_choice(const Program& program) const;
  void tell_who_counts(const std::optional<LedgerChoice>& ledger) const;
  Table table(const Program& program) const;
  std::string first_file(const Program& program) const;
  void remind_of_inspect() const;
  FitExecution execution(const std::string& label) const;
  std::string write(const FitResult& result) const;

  ModelFlags model_;
  FitFlags flags_;
  std::string data_, out_, ledger_, data_version_, title_;
  std::string memory_ = "1G";
  std::string checkpoint_;
  double checkpoint_seconds_ = 10.0;
  bool one_row_per_person_ = false;
};

ProgramSource FitCommand::source() const {
  ProgramSource source = model_.source();
  source.title = title_;
  source.one_row_per_person = one_row_per_person_;
  return source;
}

std::string FitCommand::dry_run() const {
  const FitRequest request = flags_.request();
  return dry_run_output(plan_fit(read_program(source()), request), json);
}

// Reads the program, and checks that the bundle can be written before any part of the table is
// read.
Program FitCommand::program_before_data() const {
  Program program = read_program(source());
  watch_for_interrupts();
  check_can_write_bundle(out_);
  refuse_other_table(program.inputs().schema, data_);
  return program;
}

Table FitCommand::table(const Program& program) const {
  return table_of_files(program).value_or(TableFile{data_, flags_.public_names()});
}

std::string FitCommand::first_file(const Program& program) const {
  const std::vector<std::string> paths = paths_of_tables(program.inputs().schema);
  return paths.empty() ? data_ : paths.front();
}

// The message is the same for every table.
void FitCommand::remind_of_inspect() const {
  if (quiet) return;
  if (key_protection() != KeyProtection::locked) {
    show_message(
        "note: keys may be swapped to disk; raise the limit on locked memory (ulimit -l).\n");
  }
  show_message(
      "This command reports nothing about cell contents. 'dpvi inspect' shows the curator how many "
      "cells are used.\n");
}

FitExecution FitCommand::execution(const std::string& label) const {
  FitExecution execution{.threads = flags_.threads()};
  execution.progress = [progress = std::make_shared<Progress>(label, quiet)](std::int64_t done,
                                                                             std::int64_t all) {
    progress->show(done, all);
    return !interrupted();
  };
  if (flags_.profile()) {
    execution.profile = [](const LoopTimes& times) { show_message(profile_text(times)); };
  }
  return execution;
}

std::string FitCommand::fit_privately() const {
  const FitRequest request = flags_.request();
  const Program program = program_before_data();
  std::optional<StopAtOnce> reading(std::in_place);
  UnopenedFit planned = plan_fit(program, table(program), request);
  const std::optional<LedgerChoice> ledger = ledger_choice(program);
  std::optional<LedgerAccount> account;
  if (ledger) account.emplace(*ledger, planned.planned(), table(program));
  OpenedFit opened = open_records(std::move(planned), memory());
  reading.reset();
  if (!quiet) show_message(fit_preamble(opened.planned()));
  remind_of_inspect();
  const std::string label = fmt::format("epsilon {:.4g}", opened.planned().privacy().epsilon);
  tell_who_counts(ledger);
  ReservedSpace space(out_, bundle_size(opened.planned()));
  const FitResult result = account ? fit(std::move(opened), *account, execution(label))
                                   : fit(std::move(opened), execution(label));
  space.release();
  if (!account) return write(result);
  const bool recorded = write_bundle(result, *account, out_);
  if (!recorded) {
    show_message("warning: the ledger could not record the release; the fit stays charged.\n");
  }
  return fit_output(result, out_, json);
}

void FitCommand::check_ledger_flags() const {
  const bool counted = !ledger_.empty() && ledger_ != kNoLedger;
  if (!checkpoint_.empty() && flags_.non_private()) {
    throw UsageError(kContradiction, "--checkpoint is for private fits that a ledger counts.",
                     "Leave it out.");
  }
  if (counted && flags_.non_private()) {
    throw UsageError(kContradiction, "--ledger counts private fits; --non-private has no cost.",
                     "Leave out one of them.");
  }
  if (!data_version_.empty() && ledger_ == kNoLedger) {
    throw UsageError(kContradiction, "--data-version needs a ledger.", "Leave it out.");
  }
}

std::optional<LedgerChoice> FitCommand::ledger_choice(const Program& program) const {
  const auto choice = [&](const std::string& file) {
    return LedgerChoice{file, data_version_, checkpoint_, checkpoint_seconds_};
  };
  if (!ledger_.empty() && ledger_ != kNoLedger) return choice(ledger_);
  if (ledger_.empty()) {
    if (const auto file = ledger_beside(first_file(program))) return choice(*file);
  }
  if (!checkpoint_.empty()) {
    throw UsageError(kContradiction,
                     "--checkpoint needs a ledger: without one, nothing prevents that a run is "
                     "resumed twice.",
                     "Give --ledger FILE.");
  }
  if (data_version_.empty()) return std::nullopt;
  throw UsageError(kContradiction, "--data-version needs a ledger.", "Give --ledger.");
}

void FitCommand::tell_who_counts(const std::optional<LedgerChoice>& ledger) const {
  if (quiet) return;
  show_message(ledger ? fmt::format("The ledger {} counts this fit.\n", ledger->file)
                      : "No ledger counts this fit: nobody adds up what results from these records "
                        "reveal together ('dpvi budget --help').\n");
}

std::string FitCommand::fit_unprotected() const {
  const UnprotectedFitRequest request = flags_.unprotected_request();
  const Program program = program_before_data();
  std::optional<StopAtOnce> reading(std::in_place);
  OpenedUnprotectedFit opened = open_unprotected_records(program, table(program), request);
  reading.reset();
  remind_of_inspect();
  return write(fit_without_protection(std::move(opened), execution("not private")));
}

std::string FitCommand::write(const FitResult& result) const {
  write_bundle(result, out_);
  return fit_output(result, out_, json);
}

}  // namespace

std::unique_ptr<Command> make_fit_command() { return std::make_unique<FitCommand>(); }

}  // namespace dpvi::cli
