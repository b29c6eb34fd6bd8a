#pragma once

#include <string_view>

namespace dpvi {

// The meaning of an error for the person or program that called us. The command line maps each kind
// to one exit code, in one place (cli/exit_codes.hpp).
enum class ErrorKind {
  usage,          // a flag, key or argument is wrong
  bad_input,      // data, schema or model is wrong
  missing_input,  // a named input does not exist
  internal,       // a bug of our own, or a failure of the machine
  cannot_create,  // an output already exists or cannot be created
  write_failed,   // an output was created but could not be written
  ledger_busy,    // another run holds the ledger
  budget,         // the privacy budget does not allow it
  would_leak,     // doing it would reveal something about a record
  interrupted     // a person stopped the run
};

// The stable identifier of one type of mistake. An id is never reused for another meaning.
// docs/errors.md lists all codes, and a test compares the two lists.
struct ErrorCode {
  std::string_view id;
  ErrorKind kind;
  std::string_view title;
};

inline constexpr ErrorCode kUnknownFlag{"DP101", ErrorKind::usage, "unknown verb, flag or key"};
inline constexpr ErrorCode kValueOutsideRule{"DP102", ErrorKind::usage,
                                             "a flag or key has an invalid value"};
inline constexpr ErrorCode kContradiction{
    "DP103", ErrorKind::usage, "flags or keys contradict each other, or a required one is missing"};
inline constexpr ErrorCode kNotSolvable{"DP104", ErrorKind::usage, "no plan can meet the request"};
inline constexpr ErrorCode kTooLarge{"DP105", ErrorKind::usage,
                                     "the request is too large to compute safely"};
inline constexpr ErrorCode kModelSyntax{"DP201", ErrorKind::bad_input,
                                        "the text is not a Stan program"};
inline constexpr ErrorCode kModelName{"DP202", ErrorKind::bad_input,
                                      "a name in the program is unknown, taken or reserved"};
inline constexpr ErrorCode kModelType{"DP203", ErrorKind::bad_input,
                                      "types in the program do not match"};
inline constexpr ErrorCode kModelRule{"DP204", ErrorKind::bad_input,
                                      "a statement is not allowed in this place"};
inline constexpr ErrorCode kModelUnsupported{"DP205", ErrorKind::bad_input,
                                             "a feature of Stan is not supported"};
inline constexpr ErrorCode kModelRecords{"DP206", ErrorKind::bad_input,
                                         "a data variable is neither record data nor public data"};
inline constexpr ErrorCode kModelFactorises{"DP207", ErrorKind::bad_input,
                                            "the density does not factorise over records"};
inline constexpr ErrorCode kModelTooLarge{"DP208", ErrorKind::bad_input,
                                          "running the program exceeds a limit"};
inline constexpr ErrorCode kModelFails{"DP209", ErrorKind::bad_input,
                                       "the program fails with the given public values"};
inline constexpr ErrorCode kModelFact{"DP210", ErrorKind::bad_input,
                                      "the program needs a public fact that is not declared"};
inline constexpr ErrorCode kModelLatent{"DP211", ErrorKind::bad_input,
                                        "a parameter has one value per record"};
inline constexpr ErrorCode kFileMissing{"DP301", ErrorKind::missing_input,
                                        "a file does not exist or cannot be read"};
inline constexpr ErrorCode kBadConfig{"DP106", ErrorKind::usage,
                                      "a configuration file cannot be read as TOML"};
inline constexpr ErrorCode kBadSchema{"DP310", ErrorKind::bad_input,
                                      "a schema cannot be read as TOML"};
inline constexpr ErrorCode kUnknownSchemaKey{"DP311", ErrorKind::bad_input,
                                             "a schema has a table or key that does not exist"};
inline constexpr ErrorCode kSchemaValue{"DP312", ErrorKind::bad_input,
                                        "a schema value has the wrong type or is invalid"};
inline constexpr ErrorCode kSchemaContradiction{
    "DP313", ErrorKind::bad_input,
    "schema keys contradict each other, or a required one is missing"};
inline constexpr ErrorCode kNotCsv{"DP320", ErrorKind::bad_input,
                                   "a data file is empty, binary or otherwise not a CSV table"};
inline constexpr ErrorCode kMissingColumn{"DP321", ErrorKind::bad_input,
                                          "a required column is not in the header"};
inline constexpr ErrorCode kRaggedRow{"DP322", ErrorKind::bad_input,
                                      "a row and the header differ in their number of cells"};
inline constexpr ErrorCode kBadQuoting{"DP323", ErrorKind::bad_input,
                                       "quotes in a CSV file are misplaced or not closed"};
inline constexpr ErrorCode kBadHeader{
    "DP324", ErrorKind::bad_input, "the header repeats a name, or holds values instead of names"};
inline constexpr ErrorCode kBadCompression{"DP325", ErrorKind::bad_input,
                                           "a compressed file is damaged or truncated"};
inline constexpr ErrorCode kHeaderNotUtf8{"DP326", ErrorKind::bad_input,
                                          "the header is not UTF-8 text"};
inline constexpr ErrorCode kBadJson{"DP330", ErrorKind::bad_input,
                                    "a file cannot be read as Stan JSON"};
inline constexpr ErrorCode kBadShape{"DP331", ErrorKind::bad_input,
                                     "the shape of a variable differs from its declaration"};
inline constexpr ErrorCode kMissingVariable{"DP332", ErrorKind::bad_input,
                                            "a data file lacks a variable of the program"};
inline constexpr ErrorCode kBadPublicValue{
    "DP333", ErrorKind::bad_input, "a public value violates its declaration or is given twice"};
inline constexpr ErrorCode kNotBindable{"DP340", ErrorKind::bad_input,
                                        "a variable cannot be bound to the columns named for it"};
inline constexpr ErrorCode kUndeclaredPublicFact{"DP341", ErrorKind::bad_input,
                                                 "a required public fact is not declared"};
inline constexpr ErrorCode kUndecidedUnit{
    "DP342", ErrorKind::bad_input,
    "a column looks like an id, and neither a unit nor one row per person is declared"};
inline constexpr ErrorCode kWouldPublish{
    "DP350", ErrorKind::would_leak, "an undeclared value in the records file would become public"};
inline constexpr ErrorCode kUnprotectedStart{"DP351", ErrorKind::would_leak,
                                             "a private fit would start from an unprotected fit"};
inline constexpr ErrorCode kNothingUsable{"DP360", ErrorKind::bad_input,
                                          "a column or table has no usable value"};
inline constexpr ErrorCode kWriteFailed{"DP401", ErrorKind::write_failed,
                                        "standard output or a file could not be written"};
inline constexpr ErrorCode kNothingToFit{"DP212", ErrorKind::bad_input,
                                         "a program has no parameters to fit"};
inline constexpr ErrorCode kInterrupted{"DP501", ErrorKind::interrupted, "a run was interrupted"};
inline constexpr ErrorCode kCannotCreate{
    "DP402", ErrorKind::cannot_create, "an output already exists, or its folder cannot be written"};
inline constexpr ErrorCode kDamagedBundle{"DP411", ErrorKind::bad_input,
                                          "a folder is not a bundle, or the bundle is damaged"};
inline constexpr ErrorCode kUnverifiedBundle{
    "DP412", ErrorKind::bad_input, "files of a bundle, or its epsilon, are not what the fit wrote"};
inline constexpr ErrorCode kOverBudget{"DP601", ErrorKind::budget,
                                       "the privacy budget does not allow the run"};
inline constexpr ErrorCode kLedgerBusy{"DP602", ErrorKind::ledger_busy,
                                       "another process holds the ledger"};
inline constexpr ErrorCode kDamagedLedger{"DP603", ErrorKind::bad_input,
                                          "a file is not a ledger, or the ledger was altered"};
inline constexpr ErrorCode kOtherLedger{
    "DP604", ErrorKind::bad_input, "a run does not match the data, unit or filter of the ledger"};
inline constexpr ErrorCode kNotForgivable{"DP605", ErrorKind::usage,
                                          "an entry of the ledger cannot be forgiven"};
inline constexpr ErrorCode kEntropyFailed{"DP901", ErrorKind::internal,
                                          "the secure random generator cannot be used"};
inline constexpr ErrorCode kInternal{"DP902", ErrorKind::internal, "an internal check failed"};

}  // namespace dpvi
