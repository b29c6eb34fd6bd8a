#include "bindings.hpp"

#include <dpvi/api/argument_spelling.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/ledger/budget_refusal.hpp>

namespace dpvi::python {
namespace {

// The class in dpvi.errors for a kind of error.
const char* class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "UsageError";
    case ErrorKind::bad_input:
      return "InputError";
    case ErrorKind::missing_input:
      return "MissingInputError";
    case ErrorKind::internal:
      return "InternalError";
    case ErrorKind::cannot_create:
      return "CannotCreateError";
    case ErrorKind::write_failed:
      return "WriteError";
    case ErrorKind::ledger_busy:
      return "LedgerBusyError";
    case ErrorKind::budget:
      return "BudgetError";
    case ErrorKind::would_leak:
      return "LeakError";
    case ErrorKind::interrupted:
      return "Interrupted";
  }
  return "InternalError";
}

void raise(const Error& error) {
  const std::string code(error.code().id);
  nb::object type = nb::module_::import_("dpvi.errors").attr(class_of(error.code().kind));
  nb::object made = type(spelled_as_arguments(error.what()));
  made.attr("code") = code;
  made.attr("message") = spelled_as_arguments(error.message());
  made.attr("hint") = spelled_as_arguments(error.hint());
  made.attr("file") = error.place().file;
  made.attr("line") = error.place().line;
  made.attr("column") = error.place().column;
  if (const auto* refusal = dynamic_cast<const BudgetRefusal*>(&error)) {
    const BudgetNumbers& numbers = refusal->numbers();
    made.attr("asked") = numbers.asked;
    made.attr("spent") = numbers.spent;
    made.attr("left") = numbers.left;
    made.attr("largest_epsilon") = numbers.largest_epsilon;
  }
  PyErr_SetObject(type.ptr(), made.ptr());
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace dpvi::python
