#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/opened_bundle.hpp>
#include <dpvi/api/predict_rows.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/report/statement.hpp>

#include "bundle_note.hpp"
#include "command.hpp"
#include "console.hpp"
#include "json.hpp"
#include "model_flags.hpp"
#include "numbers.hpp"
#include "output_file.hpp"
#include "predict_output.hpp"

namespace dpvi::cli {
namespace {

class PredictCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Predicts for new rows, from a bundle alone: the program's generated quantities, or its "
        "outcome.");
    app.add_option("BUNDLE", bundle_, "folder that 'dpvi fit' wrote")->required();
    app.add_option("NEW", rows_, "rows to predict for: CSV (also .gz, .zst)")->required();
    app.add_option(
           "--quantity", quantities_,
           "a quantity that depends on records (repeatable; default: all generated quantities)")
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("--program", program_.model,
                   "another Stan program with the same parameters, whose generated quantities are "
                   "predicted");
    program_.declare_public(app);
    app.add_option("--outcome", outcome_,
                   "predict this column from the program's density: probabilities of its values, "
                   "and the log density in rows that have it");
    app.add_option(
        "--score", score_,
        "the same, with scores; declares NEW public, because scores reveal its outcomes");
    app.add_flag("--laplace", laplace_,
                 "probabilities of a binary outcome by the 2017 paper's approximation");
    app.add_option("--draws", draws_, "draws from the posterior (default 1000)");
    app.add_option("--seed", seed_, "random seed (default 1)");
    app.add_option("--threads", threads_, "threads (default: all cores); never changes the result");
    out_.declare(app, "CSV");
    declare_common(app);
    app.footer("Example:\n  dpvi predict result new.csv --quantity p --out predicted.csv");
  }

  std::string run() override;

 private:
  void check_flags() const;
  Predictions predict(const OpenedBundle& opened) const;
  std::string json_output(const OpenedBundle& opened, const Predictions& predictions) const;
  void tell(const OpenedBundle& opened, const Predictions& predictions) const;

  std::string bundle_, rows_, outcome_, score_, draws_ = "1000";
  std::optional<std::string> seed_, threads_;
  std::vector<std::string> quantities_;
  ModelFlags program_;
  bool laplace_ = false;
  OutputFile out_;
};

void PredictCommand::check_flags() const {
  const bool public_values =
      !program_.public_file.empty() || !program_.defines.empty() || !program_.records.empty();
  if (program_.model.empty() && public_values) {
    throw UsageError(kContradiction,
                     "--public, -D and --records belong to --program; the bundle has its own.",
                     "Add --program FILE, or leave them out.");
  }
  if (!outcome_.empty() && !score_.empty() && outcome_ != score_) {
    throw UsageError(
        kContradiction,
        fmt::format("--outcome is '{}' and --score is '{}'; only one column can be predicted.",
                    outcome_, score_),
        "Keep --score, which predicts its column too.");
  }
}

Predictions PredictCommand::predict(const OpenedBundle& opened) const {
  constexpr std::int64_t kMaxDraws = 1'000'000;
  const auto draws = static_cast<std::size_t>(parse_whole_in("--draws", draws_, 1, kMaxDraws));
  const PredictRequest request{.quantities = quantities_,
                               .outcome = score_.empty() ? outcome_ : score_,
                               .score = !score_.empty(),
                               .laplace = laplace_,
                               .draws = draws,
                               .seed = parse_seed(seed_),
                               .threads = parse_threads(threads_)};
  if (program_.model.empty()) return predict_rows(opened, TableFile{rows_}, request);
  const QuantityProgram other = open_quantity_program(opened, program_.source());
  return predict_rows(opened, TableFile{rows_}, request, &other);
}

void PredictCommand::tell(const OpenedBundle& opened, const Predictions& predictions) const {
  if (quiet) return;
  if (!opened.bundle.stamp.is_private) show_message(fmt::format("{}\n", kNotPrivateNotice));
  if (predictions.unusable_rows > 0) {
    show_message(
        fmt::format("{} of {} rows have a cell that cannot be used: their predictions are NaN.\n",
                    predictions.unusable_rows, predictions.rows));
  }
  if (predictions.scores) {
    show_message(fmt::format(
        "--score declares {} public: its outcomes enter the scores without protection.\n", rows_));
  }
}

std::string PredictCommand::json_output(const OpenedBundle& opened,
                                        const Predictions& predictions) const {
  Json document = {{"ok", true},
                   {"private", opened.bundle.stamp.is_private},
                   {"rows", predictions.rows},
                   {"unusable_rows", predictions.unusable_rows}};
  if (predictions.scores) {
    document["score"] = Json::parse(scores_json(*predictions.scores, score_));
  }
  const std::string csv = predictions_csv(predictions);
  if (out_.named()) {
    out_.written(csv);
    document["out"] = out_.name();
  } else {
    document["csv"] = csv;
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string PredictCommand::run() {
  check_flags();
  out_.check();
  const OpenedBundle opened = open_bundle(bundle_);
  if (!quiet) note_missing_manifest(opened.bundle);
  const Predictions predictions = predict(opened);
  tell(opened, predictions);
  if (json) return json_output(opened, predictions);
  std::string csv = out_.written(predictions_csv(predictions));
  if (!predictions.scores) return csv;
  std::string scores = scores_text(*predictions.scores, score_);
  if (out_.named()) return scores;
  show_message(scores);
  return csv;
}

}  // namespace

std::unique_ptr<Command> make_predict_command() { return std::make_unique<PredictCommand>(); }

}  // namespace dpvi::cli
