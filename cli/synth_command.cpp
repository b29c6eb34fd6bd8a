#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/opened_bundle.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/eval/posterior_draws.hpp>
#include <dpvi/eval/synthetic_rows.hpp>
#include <dpvi/fit/mock/mock_table.hpp>
#include <dpvi/report/atomic_folder.hpp>
#include <dpvi/report/statement.hpp>

#include "bundle_note.hpp"
#include "command.hpp"
#include "console.hpp"
#include "json.hpp"
#include "numbers.hpp"

namespace dpvi::cli {
namespace {

Replicate parse_replicate(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("--replicate is '{}'; it must be VARIABLE=QUANTITY.", text),
                     "For example --replicate y=y_new.");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// Returns covariates in the slots of the binding. Unusable rows are left out.
std::vector<MockRecord> records_of(const RowTable& rows, const std::string& file) {
  std::vector<MockRecord> records;
  for (std::size_t row = 0; row < rows.count(); ++row) {
    if (!rows.usable[row]) continue;
    const auto reals = rows.reals_of(row);
    const auto integers = rows.integers_of(row);
    records.push_back({{reals.begin(), reals.end()}, {integers.begin(), integers.end()}});
  }
  if (records.empty()) {
    throw InputError(kNothingUsable, "no row of the covariates is usable.",
                     "The file has no rows, or every row has a cell that is missing or violates "
                     "its declaration.",
                     {file, 0, 0});
  }
  return records;
}

class SynthCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Writes synthetic tables, drawn by the program at draws from a bundle's posterior.");
    app.add_option("BUNDLE", bundle_, "folder that 'dpvi fit' wrote")->required();
    app.add_option("--rows", rows_, "number of rows per table");
    app.add_option("--covariates", covariates_,
                   "public CSV with the columns that are not drawn (default: mock columns from the "
                   "schema, independent of each other)");
    app.add_option("--datasets", datasets_,
                   "number of tables (default 1), one posterior draw each");
    app.add_option("--replicate", replicates_,
                   "VARIABLE=QUANTITY: which quantity draws a variable (repeatable; default by "
                   "name, y_rep for y)")
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("--seed", seed_, "random seed (default 1)");
    app.add_option("--threads", threads_, "threads (default: all cores); never changes the result");
    app.add_option("--out", out_, "folder to write the tables to");
    declare_common(app);
    app.footer("Example:\n  dpvi synth result --rows 1000 --datasets 5 --out synthetic");
  }

  std::string run() override;

 private:
  void check_flags() const;
  std::vector<MockRecord> covariates(const OpenedBundle& opened,
                                     const std::vector<Replicate>& replicates) const;
  std::vector<FolderFile> tables(const OpenedBundle& opened, const RowProgram& program,
                                 const std::vector<Replicate>& replicates) const;
  Json facts(const OpenedBundle& opened, const std::vector<Replicate>& replicates) const;
  std::size_t row_count(std::size_t given) const;
  std::size_t dataset_count() const;

  std::string bundle_, rows_, covariates_, out_, datasets_ = "1";
  std::optional<std::string> seed_, threads_;
  std::vector<std::string> replicates_;
};

constexpr std::int64_t kMaxRows = 10'000'000;

void SynthCommand::check_flags() const {
  if (out_.empty()) {
    throw UsageError(kContradiction, "--out is missing.", "Name the folder for the tables.");
  }
  if (rows_.empty() && covariates_.empty()) {
    throw UsageError(kContradiction, "--rows is missing.",
                     "Give the number of rows per table, or --covariates.");
  }
}

std::size_t SynthCommand::dataset_count() const {
  constexpr std::int64_t kMaxTables = 10'000;
  return static_cast<std::size_t>(parse_whole_in("--datasets", datasets_, 1, kMaxTables));
}

// Returns the rows per table. The total over all tables is limited so that it fits into memory.
std::size_t SynthCommand::row_count(std::size_t given) const {
  const std::size_t rows =
      rows_.empty() ? given
                    : static_cast<std::size_t>(parse_whole_in("--rows", rows_, 0, kMaxRows));
  if (rows * dataset_count() > static_cast<std::size_t>(kMaxRows)) {
    throw UsageError(
        kTooLarge,
        fmt::format("{} tables of {} rows are more than {} rows.", dataset_count(), rows, kMaxRows),
        "Make fewer at a time, with another --seed each time.");
  }
  return rows;
}

// Returns the covariates from the file, or an empty list without a file.
std::vector<MockRecord> SynthCommand::covariates(const OpenedBundle& opened,
                                                 const std::vector<Replicate>& replicates) const {
  if (covariates_.empty()) return {};
  WantedVariables wanted;
  for (const BoundVariable& variable : opened.bound.binding.variables) {
    const bool drawn = std::any_of(replicates.begin(), replicates.end(), [&](const Replicate& one) {
      return one.variable == variable.name;
    });
    if (!drawn) wanted.needed.push_back(variable.name);
  }
  const RowTable rows = read_rows(opened, covariates_, wanted);
  std::vector<MockRecord> records = records_of(rows, covariates_);
  if (!quiet && records.size() < rows.count()) {
    show_message(
        fmt::format("{} of {} covariate rows have a cell that cannot be used and are left out.\n",
                    rows.count() - records.size(), rows.count()));
  }
  return records;
}

std::vector<FolderFile> SynthCommand::tables(const OpenedBundle& opened, const RowProgram& program,
                                             const std::vector<Replicate>& replicates) const {
  const SeededGenerator generator(parse_seed(seed_));
  const int threads = parse_threads(threads_);
  const Binding& binding = opened.bound.binding;
  const std::vector<MockRecord> given = covariates(opened, replicates);
  const std::size_t rows = row_count(given.size());
  const std::size_t datasets = dataset_count();
  const std::vector<MockRecord> mock = given.empty()
                                           ? make_mock_records(binding, rows * datasets, generator)
                                           : std::vector<MockRecord>{};
  const Posterior& posterior = opened.bundle.posterior;
  const auto thetas =
      posterior_draws(*posterior.total.family, posterior.total.parameters, datasets, generator);
  const SyntheticRows synthetic(program, binding, replicates);
  std::vector<FolderFile> files;
  for (std::size_t table = 0; table < datasets; ++table) {
    std::vector<MockRecord> records;
    for (std::size_t row = 0; row < rows; ++row) {
      records.push_back(given.empty() ? mock[table * rows + row] : given[row % given.size()]);
    }
    synthetic.draw(records, thetas[table], table, generator, threads);
    files.push_back(
        {fmt::format("synthetic_{}.csv", table + 1), mock_csv(binding, records, generator)});
  }
  return files;
}

Json SynthCommand::facts(const OpenedBundle& opened,
                         const std::vector<Replicate>& replicates) const {
  const PrivacyStamp& stamp = opened.bundle.stamp;
  Json document = {{"private", stamp.is_private}};
  document["epsilon"] = stamp.is_private ? Json(*stamp.epsilon) : Json();
  document["delta"] = stamp.is_private ? Json(*stamp.delta) : Json();
  document["adjacency"] = stamp.is_private ? Json(stamp.adjacency) : Json();
  document["datasets"] = dataset_count();
  document["seed"] = parse_seed(seed_);
  document["drawn"] = Json::object();
  for (const Replicate& one : replicates) document["drawn"][one.variable] = one.quantity;
  document["covariates"] = covariates_.empty() ? "mock values from the schema" : "public file";
  return document;
}

std::string SynthCommand::run() {
  check_flags();
  check_can_create(out_);
  const OpenedBundle opened = open_bundle(bundle_);
  if (!quiet) note_missing_manifest(opened.bundle);
  const RowProgram program = row_program(opened);
  std::vector<Replicate> asked;
  for (const std::string& text : replicates_) asked.push_back(parse_replicate(text));
  const std::vector<Replicate> replicates = pair_outcomes(
      program, opened.bound.program.inputs().program, opened.bound.program.data(), asked);
  std::vector<FolderFile> files = tables(opened, program, replicates);
  Json document = facts(opened, replicates);
  files.push_back({"synth.json", document.dump(2) + "\n"});
  write_folder(out_, files);
  if (!quiet && !opened.bundle.stamp.is_private)
    show_message(fmt::format("{}\n", kNotPrivateNotice));
  if (json) {
    document["ok"] = true;
    document["out"] = out_;
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  std::string text;
  for (const Replicate& one : replicates) {
    text += fmt::format("{} is drawn by {}.\n", one.variable, one.quantity);
  }
  return text + fmt::format(
                    "Tables: {}/synthetic_1.csv{}\n", out_,
                    files.size() == 2 ? "" : fmt::format(" to synthetic_{}.csv", files.size() - 1));
}

}  // namespace

std::unique_ptr<Command> make_synth_command() { return std::make_unique<SynthCommand>(); }

}  // namespace dpvi::cli
