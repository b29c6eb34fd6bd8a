#include "arguments.h"
#include "failure.h"

#include <dpvi/api/ledger_account.hpp>
#include <dpvi/api/number_texts.hpp>
#include <dpvi/ledger/ledger.hpp>
#include <dpvi/ledger/ledger_summary.hpp>
#include <dpvi/privacy/adjacency_names.hpp>
#include <dpvi/report/bundle_verification.hpp>

using namespace cpp11::literals;

namespace {

cpp11::list ledger_of(const dpvi::LedgerState& state) {
  const dpvi::LedgerSummary summary = dpvi::summarise(state);
  cpp11::writable::doubles id, epsilon;
  cpp11::writable::strings entry_state, time;
  for (std::size_t i = 0; i < state.entries.size(); ++i) {
    id.push_back(static_cast<double>(state.entries[i].id));
    entry_state.push_back(std::string(dpvi::name_of(state.entries[i].state)));
    time.push_back(state.entries[i].time);
    epsilon.push_back(summary.entry_epsilon[i]);
  }
  const dpvi::LedgerTerms& terms = state.terms;
  return cpp11::writable::list(
      {"epsilon"_nm = terms.epsilon, "delta"_nm = terms.delta,
       "adjacency"_nm = std::string(dpvi::name_of(terms.adjacency)), "unit"_nm = terms.unit,
       "filter"_nm = std::string(dpvi::name_of(terms.filter)),
       "spent_epsilon"_nm = summary.spent_epsilon, "left_epsilon"_nm = summary.left_epsilon,
       "pld_epsilon"_nm = summary.pld_epsilon,
       "entries"_nm = cpp11::writable::list(
           {"id"_nm = id, "state"_nm = entry_state, "time"_nm = time, "epsilon"_nm = epsilon})});
}

}  // namespace

[[cpp11::register]] SEXP lib_ledger_create(std::string path, cpp11::list terms) {
  return guarded([&]() -> SEXP {
    dpvi::LedgerTerms made;
    made.epsilon = dpvi::parse_real("epsilon", text_in(terms, "epsilon"));
    made.delta = dpvi::parse_real("delta", text_in(terms, "delta"));
    made.adjacency = dpvi::adjacency_setting("adjacency", text_in(terms, "adjacency"));
    made.unit = text_in(terms, "unit");
    if (text_in(terms, "filter") == dpvi::name_of(dpvi::FilterKind::full_participation)) {
      made.filter = dpvi::FilterKind::full_participation;
    }
    dpvi::create_ledger(path, dpvi::with_orders(std::move(made)), text_in(terms, "data"));
    return ledger_of(dpvi::Ledger::read(path));
  });
}

[[cpp11::register]] SEXP lib_ledger_read(std::string path) {
  return guarded([&]() -> SEXP { return ledger_of(dpvi::Ledger(path).state()); });
}

// Differences between the ledger and one that only dpvi has written.
[[cpp11::register]] SEXP lib_ledger_verify(std::string path, cpp11::strings bundles) {
  return guarded([&]() -> SEXP {
    std::vector<dpvi::LedgerHead> heads;
    for (R_xlen_t i = 0; i < bundles.size(); ++i) {
      const std::string bundle = bundles[i];
      const dpvi::BundleVerification found = dpvi::verify_bundle(bundle);
      dpvi::require_verified(bundle, found);
      if (found.ledger) {
        heads.push_back({found.ledger->ledger, found.ledger->position, found.ledger->head});
      }
    }
    return cpp11::writable::strings(dpvi::ledger_differences(dpvi::Ledger::read(path), heads));
  });
}

[[cpp11::register]] SEXP lib_ledger_forgive(std::string path, double id, std::string who,
                                            std::string why) {
  return guarded([&]() -> SEXP {
    dpvi::Ledger ledger(path);
    ledger.forgive(static_cast<std::int64_t>(id), who, why);
    return ledger_of(ledger.state());
  });
}
