#include "failure.h"

#include <string>

#include <dpvi/api/argument_spelling.hpp>
#include <dpvi/ledger/budget_refusal.hpp>

using namespace cpp11::literals;

namespace {

const char* name_of(dpvi::ErrorKind kind) {
  switch (kind) {
    case dpvi::ErrorKind::usage:
      return "usage";
    case dpvi::ErrorKind::bad_input:
      return "bad_input";
    case dpvi::ErrorKind::missing_input:
      return "missing_input";
    case dpvi::ErrorKind::internal:
      return "internal";
    case dpvi::ErrorKind::cannot_create:
      return "cannot_create";
    case dpvi::ErrorKind::write_failed:
      return "write_failed";
    case dpvi::ErrorKind::ledger_busy:
      return "ledger_busy";
    case dpvi::ErrorKind::budget:
      return "budget";
    case dpvi::ErrorKind::would_leak:
      return "would_leak";
    case dpvi::ErrorKind::interrupted:
      return "interrupted";
  }
  return "internal";
}

}  // namespace

cpp11::list failure_of(const dpvi::Error& error) {
  cpp11::writable::list failure(
      {"code"_nm = std::string(error.code().id), "kind"_nm = name_of(error.code().kind),
       "message"_nm = dpvi::spelled_as_arguments(error.message()),
       "hint"_nm = dpvi::spelled_as_arguments(error.hint()), "file"_nm = error.place().file,
       "line"_nm = error.place().line, "column"_nm = error.place().column});
  if (const auto* refusal = dynamic_cast<const dpvi::BudgetRefusal*>(&error)) {
    const dpvi::BudgetNumbers& numbers = refusal->numbers();
    cpp11::writable::doubles budget(
        {numbers.asked, numbers.spent, numbers.left, numbers.largest_epsilon});
    budget.names() = {"asked", "spent", "left", "largest_epsilon"};
    failure.push_back("budget"_nm = budget);
  }
  failure.attr("class") = "dpvi_failure";
  return failure;
}

cpp11::list failure_of_machine(const char* what) {
  return failure_of(dpvi::InternalError(dpvi::kInternal, std::string("unexpected: ") + what + ".",
                                        "This is a bug in dpvi; please report it."));
}
