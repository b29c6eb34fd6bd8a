#pragma once

#include <string_view>

namespace dpvi {

// What an error means to the person or program that called us. The command line maps each kind to
// one exit code, in one place (cli/exit_codes.hpp).
enum class ErrorKind {
  usage,          // a flag, key or argument is wrong
  bad_input,      // data, schema or model is wrong
  missing_input,  // a named input is not there
  internal,       // our own mistake, or a machine that fails us
  cannot_create,  // an output exists already or may not be made
  write_failed,   // an output could be made but not written
  ledger_busy,    // another run holds the ledger
  budget,         // the privacy budget does not allow it
  would_leak,     // doing it would reveal something about a record
  interrupted     // a person stopped the run
};

// Stable name of one kind of mistake. Ids are never reused for another meaning; docs/errors.md
// lists them all and a test compares the two.
struct ErrorCode {
  std::string_view id;
  ErrorKind kind;
  std::string_view title;
};

inline constexpr ErrorCode kUnknownFlag{"DP101", ErrorKind::usage, "unknown verb, flag or key"};
inline constexpr ErrorCode kValueOutsideRule{"DP102", ErrorKind::usage,
                                             "a value is outside the rule of its flag or key"};
inline constexpr ErrorCode kContradiction{"DP103", ErrorKind::usage,
                                          "flags or keys contradict each other or one is missing"};
inline constexpr ErrorCode kNotSolvable{"DP104", ErrorKind::usage,
                                        "no plan can meet what was asked"};
inline constexpr ErrorCode kTooLarge{"DP105", ErrorKind::usage,
                                     "the request is larger than what can be computed safely"};
inline constexpr ErrorCode kModelSyntax{"DP201", ErrorKind::bad_input,
                                        "the text is not a Stan program"};
inline constexpr ErrorCode kModelName{"DP202", ErrorKind::bad_input,
                                      "a name of the program is unknown, taken or reserved"};
inline constexpr ErrorCode kModelType{"DP203", ErrorKind::bad_input,
                                      "types in the program do not fit together"};
inline constexpr ErrorCode kModelRule{"DP204", ErrorKind::bad_input,
                                      "a statement is not allowed where it stands"};
inline constexpr ErrorCode kModelUnsupported{"DP205", ErrorKind::bad_input,
                                             "Stan has it, this program does not"};
inline constexpr ErrorCode kModelRecords{"DP206", ErrorKind::bad_input,
                                         "a data variable fits neither records nor public data"};
inline constexpr ErrorCode kModelFactorises{"DP207", ErrorKind::bad_input,
                                            "the density does not factorise over records"};
inline constexpr ErrorCode kModelTooLarge{"DP208", ErrorKind::bad_input,
                                          "running the program exceeds a limit"};
inline constexpr ErrorCode kModelFails{"DP209", ErrorKind::bad_input,
                                       "the program fails on the public values it was given"};
inline constexpr ErrorCode kModelFact{"DP210", ErrorKind::bad_input,
                                      "the program needs a public fact that is not declared"};
inline constexpr ErrorCode kModelLatent{"DP211", ErrorKind::bad_input,
                                        "a parameter has one value per record"};
inline constexpr ErrorCode kFileMissing{"DP301", ErrorKind::missing_input,
                                        "a named file is not there or cannot be read"};
inline constexpr ErrorCode kBadConfig{"DP106", ErrorKind::usage,
                                      "a configuration file cannot be read as TOML"};
inline constexpr ErrorCode kEntropyFailed{"DP901", ErrorKind::internal,
                                          "the secure random generator cannot be used"};
inline constexpr ErrorCode kInternal{"DP902", ErrorKind::internal, "an internal check failed"};

}  // namespace dpvi
