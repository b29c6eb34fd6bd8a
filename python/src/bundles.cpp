#include <nanobind/ndarray.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include <dpvi/api/copy_bundle.hpp>
#include <dpvi/api/counted_bundle.hpp>
#include <dpvi/api/level_names.hpp>
#include <dpvi/api/number_texts.hpp>
#include <dpvi/api/opened_bundle.hpp>
#include <dpvi/api/predict_rows.hpp>
#include <dpvi/api/synthetic_tables.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/data/text_file.hpp>
#include <dpvi/report/atomic_folder.hpp>
#include <dpvi/report/bundle_texts.hpp>
#include <dpvi/report/bundle_verification.hpp>
#include <dpvi/report/chart/svg_forest.hpp>
#include <dpvi/report/column_names.hpp>
#include <dpvi/report/output_summary.hpp>
#include <dpvi/report/page/report_page.hpp>

#include "bindings.hpp"

namespace dpvi::python {
namespace {

nb::object numbers_of(std::vector<double> numbers, std::vector<std::size_t> shape) {
  auto kept = std::make_unique<std::vector<double>>(std::move(numbers));
  double* data = kept->data();
  const nb::capsule owner(
      kept.release(), [](void* held) noexcept { delete static_cast<std::vector<double>*>(held); });
  return nb::cast(nb::ndarray<nb::numpy, double>(data, shape.size(), shape.data(), owner));
}

nb::object numbers_of(std::vector<double> numbers) {
  const std::size_t size = numbers.size();
  return numbers_of(std::move(numbers), {size});
}

nb::dict facts_of(const OpenedBundle& opened) {
  const Bundle& bundle = opened.bundle;
  const Posterior& posterior = bundle.posterior;
  nb::dict facts;
  facts["private"] = bundle.stamp.is_private;
  facts["epsilon"] = bundle.stamp.epsilon;
  facts["delta"] = bundle.stamp.delta;
  facts["adjacency"] = bundle.stamp.adjacency;
  facts["optimisation"] = posterior.optimisation;
  facts["usable_records"] = posterior.records;
  facts["chains"] = bundle.draws.chains;
  facts["status"] = posterior.verdict
                        ? nb::object(nb::cast(std::string(name_of(posterior.verdict->status))))
                        : nb::none();
  nb::list reasons;
  std::vector<std::string> advice;
  if (posterior.verdict) {
    for (const auto& [status, words, parameters] : posterior.verdict->reasons) {
      nb::dict reason;
      reason["status"] = std::string(name_of(status));
      reason["reason"] = words;
      reason["parameters"] = parameters;
      reasons.append(reason);
    }
    if (posterior.verdict->status != FitStatus::ok) advice = advice_on(bundle);
  }
  facts["reasons"] = reasons;
  facts["advice"] = advice;
  return facts;
}

nb::dict summary_of(const OpenedBundle& opened) {
  const std::vector<OutputSummary> rows = output_summaries(opened.bundle);
  nb::dict table;
  std::vector<std::string> names;
  for (const OutputSummary& row : rows) names.push_back(row.name);
  table["variable"] = names;
  const auto add = [&](const char* name, const auto& number) {
    std::vector<double> numbers;
    for (const OutputSummary& row : rows) numbers.push_back(number(row));
    table[name] = numbers_of(std::move(numbers));
  };
  add("mean", [](const OutputSummary& row) { return row.draws.mean; });
  add("sd", [](const OutputSummary& row) { return row.draws.sd; });
  add("q5", [](const OutputSummary& row) { return row.draws.q5; });
  add("median", [](const OutputSummary& row) { return row.draws.median; });
  add("q95", [](const OutputSummary& row) { return row.draws.q95; });
  add("sd_model", [](const OutputSummary& row) { return row.sd_model; });
  add("sd_privacy", [](const OutputSummary& row) { return row.sd_privacy; });
  if (opened.bundle.draws.chains == 0) return table;
  add("r_hat", [](const OutputSummary& row) { return row.chains.r_hat; });
  add("ess_bulk", [](const OutputSummary& row) { return row.chains.ess_bulk; });
  add("ess_tail", [](const OutputSummary& row) { return row.chains.ess_tail; });
  return table;
}

// The draws of one variable: chain, draw, then the dimensions of the variable.
nb::dict draws_of(const OpenedBundle& opened) {
  const StanDraws& draws = opened.bundle.draws;
  const std::size_t chains = std::max<std::size_t>(1, draws.chains);
  const std::size_t per_chain = draws.draws.size() / chains;
  nb::dict result;
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < draws.columns.size(); ++i) place[draws.columns[i]] = i;
  for (const OutputVariable& variable : opened.bound.model.outputs()) {
    const auto size = static_cast<std::size_t>(variable.size());
    std::vector<std::size_t> shape = {chains, per_chain};
    for (const std::int64_t extent : variable.dimensions) {
      shape.push_back(static_cast<std::size_t>(extent));
    }
    const OutputVariable one[] = {variable};
    const std::vector<std::string> names = column_names(one);
    if (!std::ranges::all_of(names, [&](const auto& name) { return place.contains(name); })) {
      continue;
    }
    std::vector<double> numbers(chains * per_chain * size);
    for (std::size_t i = 0; i < size; ++i) {
      // Columns have the first index fastest, arrays of Python the last.
      std::size_t rest = i, to = 0;
      std::size_t stride = size;
      for (const std::int64_t extent : variable.dimensions) {
        stride /= static_cast<std::size_t>(extent);
        to += rest % static_cast<std::size_t>(extent) * stride;
        rest /= static_cast<std::size_t>(extent);
      }
      const std::vector<double> values = output_draws(opened.bundle, place.at(names[i]));
      for (std::size_t draw = 0; draw < values.size(); ++draw) {
        numbers[draw * size + to] = values[draw];
      }
    }
    result[variable.name.c_str()] = numbers_of(std::move(numbers), std::move(shape));
  }
  return result;
}

std::string forest_of(const OpenedBundle& opened) {
  constexpr std::size_t kMostRows = 60;
  std::vector<ForestRow> rows;
  for (const OutputSummary& row : output_summaries(opened.bundle)) {
    if (rows.size() == kMostRows) break;
    const double share = opened.bundle.stamp.is_private
                             ? row.sd_model / std::hypot(row.sd_model, row.sd_privacy)
                             : std::nan("");
    rows.push_back({row.name, row.draws.q5, row.draws.median, row.draws.q95, share});
  }
  return svg_forest("Intervals of 90 %", rows, SvgUse::file);
}

nb::dict predictions_of(const Predictions& predictions) {
  nb::dict table;
  for (const RowSummary& summary : predictions.summaries) {
    table[(summary.name + "_mean").c_str()] = numbers_of(summary.mean);
    table[(summary.name + "_q5").c_str()] = numbers_of(summary.q5);
    table[(summary.name + "_q95").c_str()] = numbers_of(summary.q95);
  }
  for (const RowSummary& summary : predictions.means) {
    table[(summary.name + "_mean").c_str()] = numbers_of(summary.mean);
  }
  if (!predictions.log_density.empty()) table["log_density"] = numbers_of(predictions.log_density);
  nb::dict result;
  result["table"] = table;
  result["rows"] = predictions.rows;
  result["unusable_rows"] = predictions.unusable_rows;
  if (!predictions.scores) return result;
  nb::dict scores;
  scores["rows"] = predictions.scores->rows;
  scores["left_out"] = predictions.scores->left_out;
  scores["log_predictive_density"] = predictions.scores->log_predictive_density;
  scores["accuracy"] = predictions.scores->accuracy;
  scores["brier"] = predictions.scores->brier;
  result["scores"] = scores;
  return result;
}

// Options come as texts, and their values are checked as those of the command line.
using Options = std::map<std::string, std::string>;

std::int64_t whole_in(const Options& options, const char* name, std::int64_t lower,
                      std::int64_t upper) {
  return parse_whole_in(name, options.at(name), lower, upper);
}

PredictRequest predict_request(const std::vector<std::string>& quantities, const Options& options) {
  constexpr std::int64_t kMostDraws = 1'000'000;
  PredictRequest request;
  request.quantities = quantities;
  request.outcome = options.at("outcome");
  request.score = options.contains("score");
  request.draws = static_cast<std::size_t>(whole_in(options, "draws", 1, kMostDraws));
  request.seed = static_cast<std::uint64_t>(whole_in(options, "seed", 0, INT64_MAX));
  return request;
}

nb::dict predict(const OpenedBundle& opened, const nb::object& rows,
                 const std::vector<std::string>& quantities, const Options& options) {
  const TableOfPython holder(rows);
  PredictRequest request = predict_request(quantities, options);
  const auto predicted = [&] {
    const nb::gil_scoped_release others_may_run;
    if (request.outcome.empty() && request.score) {
      request.outcome = only_outcome(opened);
    } else if (request.outcome.empty() && request.quantities.empty()) {
      request.outcome = default_outcome(opened);
    }
    return predict_rows(opened, holder.table(), request);
  }();
  return predictions_of(predicted);
}

std::vector<std::string> synthetic(const OpenedBundle& opened, const nb::object& covariates,
                                   const Options& options) {
  constexpr auto kMostRows = static_cast<std::int64_t>(kMostSyntheticRows);
  SynthRequest request;
  request.datasets = static_cast<std::size_t>(whole_in(options, "datasets", 1, 10'000));
  if (options.contains("n")) {
    request.rows = static_cast<std::size_t>(whole_in(options, "n", 0, kMostRows));
  } else if (covariates.is_none()) {
    throw UsageError(kContradiction, "neither n nor covariates is given.",
                     "Give the number of rows, or public rows of covariates.");
  }
  request.seed = static_cast<std::uint64_t>(whole_in(options, "seed", 0, INT64_MAX));
  std::optional<TableOfPython> holder;
  if (!covariates.is_none()) request.covariates = holder.emplace(covariates).table();
  const nb::gil_scoped_release others_may_run;
  return draw_tables(opened, request).csv;
}

nb::dict verification_of(const std::string& path, const std::string& ledger) {
  BundleVerification found = verify_bundle(path);
  std::string counted = found.ledger ? "counted by ledger " + found.ledger->ledger
                                     : std::string("no ledger counts it");
  if (!ledger.empty()) {
    const CountedBundle entry = find_in_ledger(found, ledger);
    counted = entry.text;
    found.differences.insert(found.differences.end(), entry.differences.begin(),
                             entry.differences.end());
  }
  nb::dict files;
  for (const auto& [name, ok] : found.files) files[name.c_str()] = ok;
  nb::dict result;
  result["ok"] = found.differences.empty();
  result["private"] = found.is_private;
  result["epsilon_claimed"] = found.epsilon_claimed;
  result["epsilon_recomputed"] = found.epsilon_recomputed;
  result["delta"] = found.delta;
  result["manifest"] = found.has_manifest;
  result["files"] = files;
  result["ledger"] = counted;
  result["differences"] = found.differences;
  return result;
}

}  // namespace

void bind_bundles(nb::module_& module) {
  nb::class_<OpenedBundle>(module, "Bundle")
      .def("facts", &facts_of)
      .def("summary", &summary_of)
      .def("draws", &draws_of)
      .def("forest", &forest_of)
      .def("level_names", [](const OpenedBundle& opened) { return level_names(opened.bound); })
      .def("predict", &predict)
      .def("synth", &synthetic, nb::arg("covariates").none(), nb::arg("options"));
  module.def("load", [](const std::string& path) {
    return std::make_unique<OpenedBundle>(open_bundle(path));
  });
  module.def("report", [](const std::string& path) {
    require_verified(path, verify_bundle(path));
    return report_html(read_bundle_texts(path));
  });
  module.def("write_file",
             [](const std::string& path, const std::string& text) { write_new_file(path, text); });
  module.def("read_text", &read_whole_file);
  module.def("copy_bundle", &copy_bundle);
  module.def("verify", &verification_of);
}

}  // namespace dpvi::python
