#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include <dpvi/api/fit.hpp>
#include <dpvi/api/unprotected_fit.hpp>
#include <dpvi/api/write_bundle.hpp>
#include <dpvi/base/error.hpp>

#include "command.hpp"
#include "fit_flags.hpp"
#include "fit_output.hpp"
#include "interrupt.hpp"
#include "model_flags.hpp"
#include "progress.hpp"

namespace dpvi::cli {
namespace {

class FitCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Fits a Stan program to private records; writes a bundle that may be published.");
    model_.declare(app);
    app.add_option("DATA", data_, "records: CSV (also .gz, .zst) or Stan JSON")->required();
    app.add_option("--out", out_, "folder to write the bundle to");
    flags_.declare(app);
    declare_common(app);
    app.footer("Example:\n  dpvi fit model.stan records.csv --epsilon 1 --out result");
  }

  std::string run() override {
    flags_.check();
    if (flags_.dry_run()) return dry_run();
    if (out_.empty()) {
      throw UsageError(kContradiction, "--out is missing.", "Name the folder for the bundle.");
    }
    return flags_.non_private() ? fit_unprotected() : fit_privately();
  }

 private:
  std::string dry_run() const;
  std::string fit_privately() const;
  std::string fit_unprotected() const;
  Program program_before_data() const;
  TableFile table() const { return {data_, flags_.public_names()}; }
  void remind_of_inspect() const;
  FitExecution execution(const std::string& label) const;
  std::string write(const FitResult& result) const;

  ModelFlags model_;
  FitFlags flags_;
  std::string data_, out_;
};

std::string FitCommand::dry_run() const {
  const FitRequest request = flags_.request();
  return dry_run_output(plan_fit(read_program(model_.source()), request), json);
}

// Reads the program, and checks that the bundle can be written before any part of the table is
// read.
Program FitCommand::program_before_data() const {
  Program program = read_program(model_.source());
  watch_for_interrupts();
  check_can_write_bundle(out_);
  return program;
}

// The message is the same for every table.
void FitCommand::remind_of_inspect() const {
  if (quiet) return;
  fmt::print(stderr,
             "This command reports nothing about cell contents. 'dpvi inspect' shows the curator "
             "how many cells are used.\n");
}

FitExecution FitCommand::execution(const std::string& label) const {
  FitExecution execution{.threads = flags_.threads()};
  execution.progress = [progress = std::make_shared<Progress>(label, quiet)](std::int64_t done,
                                                                             std::int64_t all) {
    progress->show(done, all);
    return !interrupted();
  };
  if (flags_.profile()) {
    execution.profile = [](const LoopTimes& times) {
      fmt::print(stderr, "{}", profile_text(times));
    };
  }
  return execution;
}

std::string FitCommand::fit_privately() const {
  const FitRequest request = flags_.request();
  const Program program = program_before_data();
  std::optional<StopAtOnce> reading(std::in_place);
  OpenedFit opened = open_records(plan_fit(program, table(), request));
  reading.reset();
  if (!quiet) fmt::print(stderr, "{}", fit_preamble(opened.planned()));
  remind_of_inspect();
  const std::string label = fmt::format("epsilon {:.4g}", opened.planned().privacy().epsilon);
  return write(fit(std::move(opened), execution(label)));
}

std::string FitCommand::fit_unprotected() const {
  const UnprotectedFitRequest request = flags_.unprotected_request();
  const Program program = program_before_data();
  std::optional<StopAtOnce> reading(std::in_place);
  OpenedUnprotectedFit opened = open_unprotected_records(program, table(), request);
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
