#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/data/schema.hpp>
#include <dpvi/fit/check/gradient_comparison.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/stan/run/program_run.hpp>
#include <dpvi/stan/types/checked_program.hpp>

namespace dpvi {

// One finding about a program or its public inputs.
struct CheckFinding {
  Severity severity = Severity::error;
  ErrorCode code;
  SourcePlace place;
  std::string message;
  std::string hint;
};

struct ParameterSummary {
  std::string name;
  std::string type;                           // as written in the program
  std::optional<std::int64_t> size;           // number of entries; nullopt if unknown
  std::optional<std::int64_t> unconstrained;  // number of entries of theta
};

struct RecordDataSummary {
  std::string name;
  std::string type;
  std::vector<std::string> columns;  // of the table; empty while their number is unknown
};

struct PublicDataSummary {
  std::string name;
  std::string type;
  bool is_scalar = false;
  std::string value;   // abbreviated, for messages; empty while undeclared
  std::string source;  // where it was declared
};

// The variables of one block that the result contains, and those it omits.
struct BlockOutputs {
  std::vector<std::string> kept;
  std::vector<DroppedQuantity> dropped;
};

// Everything that can be determined about a program without private data.
struct ModelCheck {
  std::string file;
  std::string record_count;
  std::vector<ParameterSummary> parameters;
  std::optional<std::int64_t> unconstrained_dim;  // length of theta
  std::vector<RecordDataSummary> record_data;
  std::vector<PublicDataSummary> public_data;
  std::vector<std::string> local_latents;
  std::optional<bool> factorises;  // nullopt if it could not be tested
  std::optional<GradientTest> gradients;
  BlockOutputs transformed, generated;
  std::vector<CheckFinding> findings;

  DataBlock data;
  StanModelOptions options;  // options that the program was run with
  // True if a public value is a mock value. The model then shows only the program's structure.
  bool with_mock_data = false;
  std::optional<RecordModel> model;  // points into `data` and into the program

  bool ok() const;
  void add(const Error& error, Severity severity = Severity::error);
};

// A program with all public inputs given for it.
struct CheckRequest {
  const CheckedProgram& program;
  std::string record_count = "N";
  Schema schema;
  PublicData public_data;
  // Facts of public records. They replace facts that the program requests and nobody declared.
  RecordFacts observed = {};
  std::vector<ProgramRecord> records = {};  // the same public records
};

// Reads no private data. Every user error becomes a finding; the check continues as far as
// possible.
ModelCheck check_model(const CheckRequest& request);

}  // namespace dpvi
