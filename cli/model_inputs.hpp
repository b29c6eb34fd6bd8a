#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/schema.hpp>
#include <dpvi/stan/checked_program.hpp>
#include <dpvi/stan/data_block.hpp>

namespace dpvi::cli {

// The flags by which a verb is told about a model and the public facts around it.
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

// A program that has been read and checked, with everything public that was said beside it.
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

// The schema's, else the flag's, else N.
std::string record_count(const Schema& schema, const ModelFlags& flags);

// A program that has been read, and what its data block asks for.
struct Program {
  ModelInputs inputs;
  DataBlock data;
};

// Throws the first mistake of the program.
Program read_program(const ModelFlags& flags);

// The name of a file without folder and ending.
std::string model_name(const std::string& file);

// What the table is to be bound to, before any table is opened.
BindingRequest binding_request(const ModelInputs& inputs, const DataBlock& data);

}  // namespace dpvi::cli
