#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <dpvi/base/error.hpp>

namespace dpvi {

enum class RunFailureKind : std::uint8_t {
  fails,         // a statement cannot be executed, as in Stan (DP209)
  too_large,     // a limit is exceeded (DP208)
  unsupported,   // DP205
  missing_fact,  // a fact about record data is not declared (DP210)
  other
};

// The user error that stopped a run, as a value: for callers that can continue without the run.
struct RunFailure {
  RunFailureKind kind;
  InputError error;  // to throw if the caller cannot continue
};

// Executes a part of a run. Returns what stopped it, or nullopt if it ran to its end.
//
// A statement may fail many calls deep, so interpreters unwind by an exception. No other code
// examines it.
std::optional<RunFailure> run_failure(const std::function<void()>& part);

// Returns false if a statement fails. Throws every other failure.
bool runs(const std::function<void()>& part);

}  // namespace dpvi
