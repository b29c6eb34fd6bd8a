#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/schema.hpp>
#include <dpvi/stan/facts/data_block.hpp>
#include <dpvi/stan/types/checked_program.hpp>

namespace dpvi::cli {

// Flags that name a model and its public facts.
struct ModelFlags {
  std::string model;
  std::string schema;
  std::string public_file;
  std::string records;
  std::vector<std::string> defines;  // NAME=NUMBER

  void declare(CLI::App& app);  // MODEL and the two below
  void declare_schema(CLI::App& app);
  void declare_public(CLI::App& app);
};

// A parsed and checked program with the public inputs given for it.
struct ModelInputs {
  std::string file;
  std::string text;
  std::string schema_text;
  std::string record_count;
  CheckedProgram program;
  Schema schema;
  PublicData public_data;
};

ModelInputs read_model_inputs(const ModelFlags& flags);

// Name of the record count: from the schema, else from the flag, else "N".
std::string record_count(const Schema& schema, const ModelFlags& flags);

// A parsed program and the description of its data block.
struct Program {
  ModelInputs inputs;
  DataBlock data;
};

// Throws the first error of the program.
Program read_program(const ModelFlags& flags);

// Returns the file name without folder and extension.
std::string model_name(const std::string& file);

// Returns the binding request before any table is opened.
BindingRequest binding_request(const ModelInputs& inputs, const DataBlock& data);

}  // namespace dpvi::cli
