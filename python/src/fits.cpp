#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <dpvi/api/fit.hpp>
#include <dpvi/api/ledger_account.hpp>
#include <dpvi/api/rank_job.hpp>
#include <dpvi/api/unprotected_fit.hpp>
#include <dpvi/api/version.hpp>
#include <dpvi/api/write_bundle.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/random/key_memory.hpp>
#include <dpvi/report/reserved_space.hpp>

#include "bindings.hpp"
#include "ranks.hpp"

namespace dpvi::python {
namespace {

// What a signal handler of Python raised, if it was not Ctrl-C: a time limit, for example.
struct RaisedByHandler {
  std::optional<nb::python_error> error;
};

// Called after every step, without the interpreter. Now and then it takes the interpreter, tells a
// Python function how far the fit is, and looks for Ctrl-C.
class Watcher {
 public:
  Watcher(nb::handle progress, std::shared_ptr<RaisedByHandler> raised)
      : progress_(progress.ptr()), raised_(std::move(raised)) {}

  bool operator()(std::int64_t done, std::int64_t all) {
    const auto now = std::chrono::steady_clock::now();
    if (done < all && now - asked_at_ < std::chrono::milliseconds(50)) return true;
    asked_at_ = now;
    nb::gil_scoped_acquire interpreter;
    if (PyErr_CheckSignals() != 0) {
      nb::python_error error;
      if (!error.matches(PyExc_KeyboardInterrupt)) raised_->error.emplace(std::move(error));
      return false;
    }
    if (progress_ == Py_None) return true;
    try {
      const nb::handle show(progress_);
      show(done, all);
    } catch (nb::python_error& error) {
      if (error.matches(PyExc_KeyboardInterrupt)) return false;  // Ctrl-C while it was shown
      error.restore();
      PyErr_Clear();  // a display that fails does not end a fit that is paid for
      progress_ = Py_None;
    }
    return true;
  }

 private:
  PyObject* progress_;
  std::shared_ptr<RaisedByHandler> raised_;
  std::chrono::steady_clock::time_point asked_at_ = std::chrono::steady_clock::now();
};

struct FitPlace {
  std::string bundle;
  std::optional<LedgerChoice> ledger;
  FitExecution execution;
  RankTable ranks_have = RankTable::part;
  RankJob* job = nullptr;  // nullptr: this process is the whole job
};

// Returns false if the ledger could not record the release.
bool fit_privately(const Program& program, const Table& table, const FitRequest& request,
                   const FitPlace& place) {
  UnopenedFit planned = plan_fit(program, table, request);
  std::optional<LedgerAccount> account;
  if (place.ledger) account.emplace(*place.ledger, planned.planned(), table);
  OpenedFit opened = open_records(std::move(planned));
  ReservedSpace space(place.bundle, bundle_size(opened.planned()));
  const FitResult result = account ? fit(std::move(opened), *account, place.execution)
                                   : fit(std::move(opened), place.execution);
  space.release();
  if (account) return write_bundle(result, *account, place.bundle);
  write_bundle(result, place.bundle);
  return true;
}

void fit_unprotected(const Program& program, const Table& table, const SettingTexts& texts,
                     const FitPlace& place) {
  write_bundle(fit_without_protection(
                   open_unprotected_records(program, table, unprotected_fit_request(texts)),
                   place.execution),
               place.bundle);
}

bool fit_on_ranks(const Program& program, const Table& table, const SettingTexts& texts,
                  const FitPlace& place) {
  if (texts.is_on("non-private")) {
    throw UsageError(kContradiction, "a fit without privacy protection runs in one process.",
                     "Leave out the collective.");
  }
  return dpvi::fit_on_ranks(*place.job, program,
                            {.table = table,
                             .table_kind = place.ranks_have,
                             .request = fit_request(texts),
                             .ledger = place.ledger,
                             .bundle = place.bundle,
                             .execution = place.execution});
}

bool fit_while_others_run(const ModelDescription& model, const Table& table,
                          const SettingTexts& texts, const FitPlace& place) {
  const nb::gil_scoped_release others_may_run;
  refuse_contradictions(texts);
  const Program program = program_of(model);
  if (place.job != nullptr) return fit_on_ranks(program, table, texts, place);
  check_can_write_bundle(place.bundle);
  if (!texts.is_on("non-private")) return fit_privately(program, table, fit_request(texts), place);
  fit_unprotected(program, table, texts, place);
  return true;
}

bool fit_model(const ModelDescription& model, const nb::object& rows,
               std::map<std::string, std::string> settings, std::vector<std::string> phases,
               const std::map<std::string, std::string>& place_parts, const nb::object& progress,
               const nb::object& ranks) {
  const std::unique_ptr<RankLink> link = ranks_of_python(ranks);
  std::optional<RankJob> job;  // first of all, so that every failure is told to the other ranks
  if (link) job.emplace(*link);
  const TableOfPython holder(rows);
  const SettingTexts texts = settings_of(std::move(settings), std::move(phases));
  const auto raised = std::make_shared<RaisedByHandler>();
  const auto bundle = place_parts.find("bundle");  // of the root alone
  FitPlace place{bundle == place_parts.end() ? "" : bundle->second,
                 std::nullopt,
                 {.threads = thread_count(texts), .progress = Watcher(progress, raised)}};
  if (const auto ledger = place_parts.find("ledger"); ledger != place_parts.end()) {
    place.ledger =
        LedgerChoice{.file = ledger->second, .data_version = place_parts.at("data_version")};
  }
  if (place_parts.contains("whole_table")) place.ranks_have = RankTable::whole;
  if (job) place.job = &*job;
  try {
    return fit_while_others_run(model, holder.table(), texts, place);
  } catch (const Error&) {
    if (raised->error) throw std::move(*raised->error);
    throw;
  }
}

}  // namespace

void bind_fits(nb::module_& module) {
  module.def("fit", &fit_model, nb::arg("model"), nb::arg("rows"), nb::arg("settings"),
             nb::arg("phases"), nb::arg("place"), nb::arg("progress").none(),
             nb::arg("ranks") = nb::none());
  // Tells the other ranks of a job that this one cannot begin.
  module.def("refuse_ranks", [](const nb::object& ranks) {
    if (const std::unique_ptr<RankLink> link = ranks_of_python(ranks)) const RankJob job(*link);
  });
  module.def("version", [] {
    const ProgramVersion version = library_version();
    nb::dict parts;
    parts["version"] = version.version;
    parts["commit"] = version.commit;
    parts["instruction_sets"] = instruction_sets();
    parts["libraries"] = libraries_used();
    return parts;
  });
}

}  // namespace dpvi::python

NB_MODULE(_core, module) {
  // Before any key is used: OpenSSL then keeps keys in locked memory, unless Python uses it
  // already.
  dpvi::keep_keys_in_key_memory();
  dpvi::python::bind_errors(module);
  dpvi::python::bind_models(module);
  dpvi::python::bind_fits(module);
  dpvi::python::bind_bundles(module);
  dpvi::python::bind_ledgers(module);
}
