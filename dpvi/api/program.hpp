#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/public_data.hpp>
#include <dpvi/data/schema.hpp>
#include <dpvi/stan/facts/data_block.hpp>
#include <dpvi/stan/types/checked_program.hpp>

namespace dpvi {

// A Stan program and the public facts that go with it. A text in memory replaces the content of its
// file, whose name then serves only for messages and as the name of the model.
struct ProgramSource {
  std::string model_file = "model.stan";
  std::optional<std::string> model_text = std::nullopt;
  std::string schema_file = {};  // TOML; empty: no schema
  std::optional<std::string> schema_text = std::nullopt;
  std::string public_file = {};     // public data values in Stan JSON; empty: none
  PublicData public_data = {};      // further public data values
  bool one_row_per_person = false;  // declares it, as the schema can
  std::string title = {};           // of the study, in place of the schema's
  // COUNT=FILE, one for each record count of a program with several tables; empty: the schema's.
  std::vector<std::string> tables = {};
  std::string record_count = {};  // name of the record count if the schema has none; default "N"
};

// One number as a public data value. `source` says where it was declared, for messages.
PublicValue public_number(double value, std::string source);

// A parsed program with its public facts. The findings of `program` may contain errors.
struct ProgramInputs {
  std::string file;
  std::string text;
  std::string schema_text;
  std::string record_count;
  CheckedProgram program;
  Schema schema;
  PublicData public_data;
};

ProgramInputs read_program_inputs(const ProgramSource& source);

// Name of the record count: from the schema, else `otherwise`, else "N".
std::string record_count_name(const Schema& schema, const std::string& otherwise);

// A program without errors, ready to be bound to a table. It never changes, and copies share it.
class Program {
 public:
  // Throws the first error of the program.
  explicit Program(ProgramInputs inputs);

  const ProgramInputs& inputs() const { return parts_->inputs; }
  const DataBlock& data() const { return parts_->data; }
  // File name without folder and extension.
  std::string name() const;
  // What the program needs from a table, before one is known.
  BindingRequest binding_request() const;

 private:
  struct Parts {
    ProgramInputs inputs;
    DataBlock data;  // refers to `inputs`
  };

  std::shared_ptr<const Parts> parts_;
};

// Reads the program, its schema and its public data. Reads no record. Throws the first error.
Program read_program(const ProgramSource& source);

}  // namespace dpvi
