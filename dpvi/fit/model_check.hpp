#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/data/schema.hpp>
#include <dpvi/fit/record_model.hpp>
#include <dpvi/fit/slope_comparison.hpp>
#include <dpvi/stan/checked_program.hpp>
#include <dpvi/stan/program_run.hpp>

namespace dpvi {

// One thing to say about a program or what was declared beside it.
struct CheckFinding {
  Severity severity = Severity::error;
  ErrorCode code;
  SourcePlace place;
  std::string message;
  std::string hint;
};

struct ParameterSummary {
  std::string name;
  std::string type;                           // as the program writes it
  std::optional<std::int64_t> size;           // number of entries; absent while unknown
  std::optional<std::int64_t> unconstrained;  // numbers of theta that it takes
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
  std::string value;   // in short, for people; empty while it is still to be given
  std::string source;  // who declared it
};

// The variables of one block that the result shows, and those it cannot.
struct OutputSummary {
  std::vector<std::string> kept;
  std::vector<DroppedQuantity> dropped;
};

// All that can be said of a program without private data.
struct ModelCheck {
  std::string file;
  std::string record_count;
  std::vector<ParameterSummary> parameters;
  std::optional<std::int64_t> unconstrained_dim;  // length of theta
  std::vector<RecordDataSummary> record_data;
  std::vector<PublicDataSummary> public_data;
  std::vector<std::string> local_latents;
  std::optional<bool> factorises;  // absent where it could not be tested
  std::optional<GradientTest> gradients;
  OutputSummary transformed, generated;
  std::vector<CheckFinding> findings;

  DataBlock data;
  StanModelOptions options;  // what the program was run with
  // Some public value was made up, so the model shows the program's structure and nothing more.
  bool invented = false;
  std::optional<RecordModel> model;  // points into `data` and into the program

  bool ok() const;
  void add(const Error& error, Severity severity = Severity::error);
};

// A program and everything public that was said beside it.
struct CheckRequest {
  const CheckedProgram& program;
  std::string record_count = "N";
  Schema schema;
  PublicData public_data;
  // Of records that are public: stand in for facts that the program asks for and nobody declared.
  RecordFacts observed = {};
  std::vector<MadeUpRecord> records = {};  // the same records themselves
};

// Reads no private data. Every mistake of the user becomes a finding; the check goes on as far as
// it still makes sense.
ModelCheck check_model(const CheckRequest& request);

}  // namespace dpvi
