#include "arguments.h"
#include "failure.h"

#include <dpvi/api/number_texts.hpp>
#include <dpvi/api/opened_bundle.hpp>
#include <dpvi/api/predict_rows.hpp>
#include <dpvi/api/synthetic_tables.hpp>

using namespace cpp11::literals;

namespace {

// Rows that a caller of R gives: a data frame, or the name of a file.
struct GivenRows {
  explicit GivenRows(const cpp11::list& data) : file(text_in(data, "file")) {
    if (file.empty()) frame.emplace(cpp11::list(data["columns"]));
  }

  dpvi::Table table() const { return frame ? frame->table() : dpvi::TableFile{file}; }

  std::string file;
  std::optional<FrameColumns> frame;
};

std::int64_t whole_in(const cpp11::list& options, const char* name, std::int64_t lower,
                      std::int64_t upper) {
  return dpvi::parse_whole_in(name, text_in(options, name), lower, upper);
}

int threads_in(const cpp11::list& options) {
  constexpr std::int64_t kMostThreads = 1024;
  return text_in(options, "threads").empty()
             ? dpvi::all_cores()
             : static_cast<int>(whole_in(options, "threads", 1, kMostThreads));
}

}  // namespace

[[cpp11::register]] SEXP lib_predict(std::string path, cpp11::list data, cpp11::list options) {
  return guarded([&]() -> SEXP {
    constexpr std::int64_t kMostDraws = 1'000'000;
    const dpvi::OpenedBundle opened = dpvi::open_bundle(path);
    const GivenRows given(data);
    dpvi::PredictRequest request{
        .quantities = texts_in(options, "quantity"),
        .outcome = text_in(options, "outcome"),
        .draws = static_cast<std::size_t>(whole_in(options, "draws", 1, kMostDraws)),
        .seed = static_cast<std::uint64_t>(whole_in(options, "seed", 0, INT64_MAX)),
        .threads = threads_in(options)};
    if (request.quantities.empty() && request.outcome.empty()) {
      request.outcome = dpvi::default_outcome(opened);
    }
    const dpvi::Predictions found = dpvi::predict_rows(opened, given.table(), request);
    cpp11::writable::list columns;
    for (const dpvi::RowSummary& summary : found.summaries) {
      columns.push_back(cpp11::named_arg((summary.name + "_mean").c_str()) = summary.mean);
      columns.push_back(cpp11::named_arg((summary.name + "_q5").c_str()) = summary.q5);
      columns.push_back(cpp11::named_arg((summary.name + "_q95").c_str()) = summary.q95);
    }
    if (!found.log_density.empty()) columns.push_back("log_density"_nm = found.log_density);
    return columns;
  });
}

// Texts of synthetic tables, as CSV.
[[cpp11::register]] SEXP lib_synth(std::string path, cpp11::list data, cpp11::list options) {
  return guarded([&]() -> SEXP {
    const dpvi::OpenedBundle opened = dpvi::open_bundle(path);
    constexpr auto kMost = static_cast<std::int64_t>(dpvi::kMostSyntheticRows);
    dpvi::SynthRequest request{
        .datasets = static_cast<std::size_t>(whole_in(options, "datasets", 1, 10'000)),
        .seed = static_cast<std::uint64_t>(whole_in(options, "seed", 0, INT64_MAX)),
        .threads = threads_in(options)};
    if (!text_in(options, "rows").empty()) {
      request.rows = static_cast<std::size_t>(whole_in(options, "rows", 0, kMost));
    }
    std::optional<GivenRows> covariates;
    if (data.size() > 0) {
      covariates.emplace(data);
      request.covariates = covariates->table();
    }
    return cpp11::writable::strings(dpvi::draw_tables(opened, request).csv);
  });
}
