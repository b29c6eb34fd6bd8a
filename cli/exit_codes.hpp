#pragma once

#include <dpvi/base/error_codes.hpp>

namespace dpvi::cli {

inline constexpr int kExitOk = 0;

// The only mapping from error kinds to exit codes. It follows sysexits.h where a code fits.
constexpr int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return 64;
    case ErrorKind::bad_input:
      return 65;
    case ErrorKind::missing_input:
      return 66;
    case ErrorKind::internal:
      return 70;
    case ErrorKind::cannot_create:
      return 73;
    case ErrorKind::write_failed:
      return 74;
    case ErrorKind::ledger_busy:
      return 75;
    case ErrorKind::budget:
      return 77;
    case ErrorKind::would_leak:
      return 78;
    case ErrorKind::interrupted:
      return 130;
  }
  return 70;
}

}  // namespace dpvi::cli
