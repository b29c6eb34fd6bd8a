#pragma once

#include <string>
#include <vector>

#include <dpvi/fit/prepare/public_inputs.hpp>
#include <dpvi/fit/prepare/record_file.hpp>
#include <dpvi/fit/prepare/record_model.hpp>

#include "model_inputs.hpp"

namespace dpvi::cli {

// A program bound to the columns of a table.
struct BoundModel {
  Binding binding;
  std::vector<PublicFact> public_facts;
  RecordModel model;
};

// Returns the options for building the model. They are known before any record is read.
StanModelOptions model_options(const ModelInputs& inputs, const Binding& binding);

// Binds to the column names of the program and schema when there is no table.
BoundModel bind_without_table(const ModelInputs& inputs, const DataBlock& data);

// Binds to a table with these columns. Messages refer to the table as `table`.
BoundModel bind_to_columns(const ModelInputs& inputs, const DataBlock& data,
                           std::vector<std::string> header, const std::string& table);

// Returns the table columns that make up a record variable.
std::vector<std::string> columns_of(const Binding& binding, const std::string& variable);

// Returns the public inputs that a bundle must record for later use.
PublicInputs public_inputs(const ModelInputs& inputs, const Binding& binding);

// A program bound to a file of records. No row has been read.
struct BoundFile {
  BoundModel bound;
  RecordFile file;
};

// `public_names` is a comma-separated list of variables of a JSON file.
BoundFile bind_to_file(const ModelInputs& inputs, const DataBlock& data, const std::string& file,
                       const std::string& public_names);

std::vector<std::string> name_list(const std::string& names);

}  // namespace dpvi::cli
