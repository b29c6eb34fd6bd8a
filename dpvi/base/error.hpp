#pragma once

#include <stdexcept>
#include <string>

#include <dpvi/base/error_codes.hpp>

namespace dpvi {

// The place of a mistake in a user's file. Line and column count from 1; 0 means unknown.
struct SourcePlace {
  std::string file;
  int line = 0;
  int column = 0;
};

// The base class of all errors that the library throws on a user's mistake. `message` names the
// field, the value and the rule; `hint` is the next step. what() is the complete line to show to a
// person.
class Error : public std::runtime_error {
 public:
  Error(const ErrorCode& code, std::string message, std::string hint, SourcePlace place = {});

  const ErrorCode& code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }
  const SourcePlace& place() const { return place_; }

 private:
  ErrorCode code_;
  std::string message_;
  std::string hint_;
  SourcePlace place_;
};

// There is one type per kind, so that a caller can catch the errors it can handle. The code's kind
// must match the type's kind. A mismatch is a programming error and is reported as internal.
template <ErrorKind kKind>
class ErrorOf : public Error {
 public:
  ErrorOf(const ErrorCode& code, std::string message, std::string hint, SourcePlace place = {})
      : Error(code, std::move(message), std::move(hint), std::move(place)) {
    if (code.kind != kKind) throw Error(kInternal, "error code of another kind", "report this");
  }
};

using UsageError = ErrorOf<ErrorKind::usage>;
using InputError = ErrorOf<ErrorKind::bad_input>;
using MissingInputError = ErrorOf<ErrorKind::missing_input>;
using InternalError = ErrorOf<ErrorKind::internal>;
using CannotCreateError = ErrorOf<ErrorKind::cannot_create>;
using WriteError = ErrorOf<ErrorKind::write_failed>;
using LedgerBusyError = ErrorOf<ErrorKind::ledger_busy>;
using BudgetError = ErrorOf<ErrorKind::budget>;
using LeakError = ErrorOf<ErrorKind::would_leak>;

}  // namespace dpvi
