#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/api/opened_bundle.hpp>
#include <dpvi/api/synthetic_tables.hpp>
#include <dpvi/base/error.hpp>
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
  SynthRequest request() const;
  void tell(const SyntheticDraws& made) const;
  Json facts(const OpenedBundle& opened, const std::vector<Replicate>& replicates) const;
  std::size_t dataset_count() const;

  std::string bundle_, rows_, covariates_, out_, datasets_ = "1";
  std::optional<std::string> seed_, threads_;
  std::vector<std::string> replicates_;
};

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

SynthRequest SynthCommand::request() const {
  SynthRequest request{
      .datasets = dataset_count(), .seed = parse_seed(seed_), .threads = parse_threads(threads_)};
  if (!rows_.empty()) {
    constexpr auto kMost = static_cast<std::int64_t>(kMostSyntheticRows);
    request.rows = static_cast<std::size_t>(parse_whole_in("--rows", rows_, 0, kMost));
  }
  if (!covariates_.empty()) request.covariates = TableFile{covariates_};
  for (const std::string& text : replicates_) request.replicates.push_back(parse_replicate(text));
  return request;
}

void SynthCommand::tell(const SyntheticDraws& made) const {
  if (quiet || made.unusable_covariates == 0) return;
  show_message(fmt::format("{} covariate rows have a cell that cannot be used and are left out.\n",
                           made.unusable_covariates));
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
  NewFolder folder(out_);
  std::size_t tables = 0;
  const SyntheticDraws made =
      draw_tables(opened, request(), [&](std::size_t table, std::string_view text) {
        if (table == tables) folder.begin(fmt::format("synthetic_{}.csv", ++tables));
        folder.write(text);
      });
  tell(made);
  const std::vector<Replicate>& replicates = made.drawn;
  Json document = facts(opened, replicates);
  folder.begin("synth.json");
  folder.write(document.dump(2) + "\n");
  folder.finish();
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
  return text + fmt::format("Tables: {}/synthetic_1.csv{}\n", out_,
                            tables == 1 ? "" : fmt::format(" to synthetic_{}.csv", tables));
}

}  // namespace

std::unique_ptr<Command> make_synth_command() { return std::make_unique<SynthCommand>(); }

}  // namespace dpvi::cli
