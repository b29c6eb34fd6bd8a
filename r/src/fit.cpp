#include "arguments.h"
#include "failure.h"

#include <chrono>
#include <utility>

#include <dpvi/api/fit.hpp>
#include <dpvi/api/ledger_account.hpp>
#include <dpvi/api/unprotected_fit.hpp>
#include <dpvi/api/version.hpp>
#include <dpvi/api/write_bundle.hpp>
#include <dpvi/random/key_memory.hpp>
#include <dpvi/report/reserved_space.hpp>

using namespace cpp11::literals;

namespace {

void check_interrupt(void*) { R_CheckUserInterrupt(); }

// Called on the thread of R after every step. Shows steps, never a loss, and asks R now and then
// whether the user wants to stop.
class Watcher {
 public:
  explicit Watcher(bool shown) : shown_(shown) {}

  bool operator()(std::int64_t done, std::int64_t all) {
    const auto now = std::chrono::steady_clock::now();
    const bool last = done == all;
    if (!last && now - asked_at_ < std::chrono::milliseconds(100)) return true;
    asked_at_ = now;
    if (shown_)
      REprintf("\rstep %lld of %lld%s", static_cast<long long>(done), static_cast<long long>(all),
               last ? "\n" : "");
    return R_ToplevelExec(check_interrupt, nullptr) != FALSE;
  }

 private:
  bool shown_;
  std::chrono::steady_clock::time_point asked_at_ = std::chrono::steady_clock::now();
};

struct PlaceOfFit {
  std::string bundle;
  dpvi::FitExecution execution;
};

dpvi::FitResult fit_privately(const dpvi::Program& program, const dpvi::Table& table,
                              const FrameColumns* frame, const dpvi::SettingTexts& texts,
                              const cpp11::list& ledger, const PlaceOfFit& place) {
  dpvi::UnopenedFit planned = dpvi::plan_fit(program, table, dpvi::fit_request(texts));
  if (frame != nullptr) frame->refuse_types(planned.planned().binding());
  std::optional<dpvi::LedgerAccount> account;
  if (const std::string file = text_in(ledger, "file"); !file.empty()) {
    account.emplace(dpvi::LedgerChoice{.file = file, .data_version = text_in(ledger, "version")},
                    planned.planned(), std::get<dpvi::TableFile>(table));
  }
  dpvi::OpenedFit opened = dpvi::open_records(std::move(planned));
  dpvi::ReservedSpace space(place.bundle, dpvi::bundle_size(opened.planned()));
  dpvi::FitResult result = account ? dpvi::fit(std::move(opened), *account, place.execution)
                                   : dpvi::fit(std::move(opened), place.execution);
  space.release();
  if (account) {
    dpvi::write_bundle(result, *account, place.bundle);
  } else {
    dpvi::write_bundle(result, place.bundle);
  }
  return result;
}

dpvi::FitResult fit_unprotected(const dpvi::Program& program, const dpvi::Table& table,
                                const dpvi::SettingTexts& texts, const PlaceOfFit& place) {
  dpvi::FitResult result = dpvi::fit_without_protection(
      dpvi::open_unprotected_records(program, table, dpvi::unprotected_fit_request(texts)),
      place.execution);
  dpvi::write_bundle(result, place.bundle);
  return result;
}

}  // namespace

// Before any key is used: OpenSSL then keeps keys in locked memory, unless R uses it already.
[[cpp11::register]] void lib_protect_keys() { dpvi::keep_keys_in_key_memory(); }

[[cpp11::register]] SEXP lib_fit(cpp11::list model, cpp11::list data, cpp11::list settings,
                                 std::string bundle, cpp11::list ledger, bool progress) {
  return guarded([&]() -> SEXP {
    const dpvi::SettingTexts texts = setting_texts(settings);
    dpvi::refuse_contradictions(texts);
    const dpvi::Program program = model_program(model);
    dpvi::check_can_write_bundle(bundle);
    const std::string file = text_in(data, "file");
    std::optional<FrameColumns> frame;
    if (file.empty()) frame.emplace(cpp11::list(data["columns"]));
    const dpvi::Table table =
        frame ? frame->table() : dpvi::TableFile{file, texts_in(data, "public_names")};
    const PlaceOfFit place{bundle,
                           {.threads = dpvi::thread_count(texts), .progress = Watcher(progress)}};
    texts.is_on("non-private")
        ? fit_unprotected(program, table, texts, place)
        : fit_privately(program, table, frame ? &*frame : nullptr, texts, ledger, place);
    return cpp11::writable::strings({bundle});
  });
}

[[cpp11::register]] cpp11::list lib_version() {
  const dpvi::ProgramVersion version = dpvi::library_version();
  return cpp11::writable::list({"version"_nm = version.version, "commit"_nm = version.commit,
                                "instruction_sets"_nm = dpvi::instruction_sets(),
                                "libraries"_nm = dpvi::libraries_used()});
}
