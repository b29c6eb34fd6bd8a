#include "failure.h"

#include <algorithm>
#include <string>
#include <vector>

#include <dpvi/api/copy_bundle.hpp>
#include <dpvi/api/counted_bundle.hpp>
#include <dpvi/report/atomic_folder.hpp>
#include <dpvi/report/bundle_reader.hpp>
#include <dpvi/report/bundle_verification.hpp>
#include <dpvi/report/output_summary.hpp>
#include <dpvi/report/page/report_page.hpp>

using namespace cpp11::literals;

namespace {

double value_or_na(const std::optional<double>& value) { return value.value_or(NA_REAL); }

cpp11::list summary_of(const dpvi::Bundle& bundle) {
  cpp11::writable::strings names;
  cpp11::writable::doubles mean, sd, q5, median, q95, model, privacy, r_hat, bulk, tail;
  for (const dpvi::OutputSummary& row : dpvi::output_summaries(bundle)) {
    names.push_back(row.name);
    mean.push_back(row.draws.mean);
    sd.push_back(row.draws.sd);
    q5.push_back(row.draws.q5);
    median.push_back(row.draws.median);
    q95.push_back(row.draws.q95);
    model.push_back(row.sd_model);
    privacy.push_back(row.sd_privacy);
    if (bundle.draws.chains == 0) continue;
    r_hat.push_back(row.chains.r_hat);
    bulk.push_back(row.chains.ess_bulk);
    tail.push_back(row.chains.ess_tail);
  }
  cpp11::writable::list summary({"variable"_nm = names, "mean"_nm = mean, "sd"_nm = sd,
                                 "q5"_nm = q5, "median"_nm = median, "q95"_nm = q95,
                                 "sd_model"_nm = model, "sd_privacy"_nm = privacy});
  if (bundle.draws.chains > 0) {
    summary.push_back("rhat"_nm = r_hat);
    summary.push_back("ess_bulk"_nm = bulk);
    summary.push_back("ess_tail"_nm = tail);
  }
  return summary;
}

// One column per variable, chains one after another.
cpp11::doubles draws_of(const dpvi::Bundle& bundle) {
  const std::size_t rows = bundle.draws.draws.size(), columns = bundle.draws.columns.size();
  cpp11::writable::doubles draws(static_cast<R_xlen_t>(rows * columns));
  for (std::size_t column = 0; column < columns; ++column) {
    const std::vector<double> values = dpvi::output_draws(bundle, column);
    std::copy(values.begin(), values.end(), draws.begin() + static_cast<R_xlen_t>(column * rows));
  }
  draws.attr("dim") =
      cpp11::writable::integers({static_cast<int>(rows), static_cast<int>(columns)});
  return draws;
}

cpp11::list reasons_of(const dpvi::Posterior& posterior) {
  cpp11::writable::strings status, reason;
  cpp11::writable::list parameters;
  if (posterior.verdict) {
    for (const dpvi::StatusReason& one : posterior.verdict->reasons) {
      status.push_back(std::string(dpvi::name_of(one.status)));
      reason.push_back(one.words);
      parameters.push_back(cpp11::writable::strings(one.parameters));
    }
  }
  return cpp11::writable::list(
      {"status"_nm = status, "reason"_nm = reason, "parameters"_nm = parameters});
}

std::vector<std::string> advice_of(const dpvi::Bundle& bundle) {
  const auto& verdict = bundle.posterior.verdict;
  if (!verdict || verdict->status == dpvi::FitStatus::ok) return {};
  return dpvi::advice_on(bundle);
}

}  // namespace

[[cpp11::register]] SEXP lib_read_bundle(std::string path) {
  return guarded([&]() -> SEXP {
    const dpvi::Bundle bundle = dpvi::read_bundle(path);
    const dpvi::Posterior& posterior = bundle.posterior;
    const std::string status =
        posterior.verdict ? std::string(dpvi::name_of(posterior.verdict->status)) : "unknown";
    return cpp11::writable::list(
        {"private"_nm = bundle.stamp.is_private, "epsilon"_nm = value_or_na(bundle.stamp.epsilon),
         "delta"_nm = value_or_na(bundle.stamp.delta), "adjacency"_nm = bundle.stamp.adjacency,
         "status"_nm = status, "reasons"_nm = reasons_of(posterior),
         "advice"_nm = advice_of(bundle), "optimisation"_nm = posterior.optimisation,
         "usable_records"_nm = value_or_na(posterior.records),
         "chains"_nm = static_cast<double>(bundle.draws.chains), "summary"_nm = summary_of(bundle),
         "draws"_nm = draws_of(bundle)});
  });
}

[[cpp11::register]] SEXP lib_verify(std::string path, std::string ledger) {
  return guarded([&]() -> SEXP {
    dpvi::BundleVerification found = dpvi::verify_bundle(path);
    std::string counted = found.ledger ? "counted by ledger " + found.ledger->ledger
                                       : std::string("no ledger counts it");
    if (!ledger.empty()) {
      const dpvi::CountedBundle entry = dpvi::find_in_ledger(found, ledger);
      counted = entry.text;
      found.differences.insert(found.differences.end(), entry.differences.begin(),
                               entry.differences.end());
    }
    return cpp11::writable::list(
        {"ok"_nm = found.differences.empty(), "private"_nm = found.is_private,
         "epsilon_claimed"_nm = value_or_na(found.epsilon_claimed),
         "epsilon_recomputed"_nm = value_or_na(found.epsilon_recomputed),
         "delta"_nm = value_or_na(found.delta), "manifest"_nm = found.has_manifest,
         "files"_nm = static_cast<double>(found.files.size()), "ledger"_nm = counted,
         "differences"_nm = found.differences});
  });
}

[[cpp11::register]] SEXP lib_copy_bundle(std::string from, std::string to) {
  return guarded([&]() -> SEXP {
    dpvi::copy_bundle(from, to);
    return cpp11::writable::strings({to});
  });
}

[[cpp11::register]] SEXP lib_report(std::string path, std::string out) {
  return guarded([&]() -> SEXP {
    dpvi::require_verified(path, dpvi::verify_bundle(path));
    dpvi::write_new_file(out, dpvi::report_html(dpvi::read_bundle_texts(path)));
    return cpp11::writable::strings({out});
  });
}
