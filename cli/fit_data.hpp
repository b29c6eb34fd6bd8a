#pragma once

#include <string>
#include <vector>

#include <dpvi/fit/record_file.hpp>
#include <dpvi/fit/record_model.hpp>

#include "model_inputs.hpp"

namespace dpvi::cli {

// A program, bound to the columns of a table.
struct BoundModel {
  Binding binding;
  std::vector<PublicFact> public_facts;
  RecordModel model;
};

// How the program runs: what is known before any record is read.
StanModelOptions model_options(const ModelInputs& inputs, const Binding& binding);

// With columns as program and schema name them, for want of a table.
BoundModel bind_without_table(const ModelInputs& inputs, const DataBlock& data);

// With a table of these columns, which messages call `table`.
BoundModel bind_to_columns(const ModelInputs& inputs, const DataBlock& data,
                           std::vector<std::string> header, const std::string& table);

// The table's columns that a record variable is made of.
std::vector<std::string> columns_of(const Binding& binding, const std::string& variable);

// What a bundle must tell of these for others to use it.
PublicInputs public_inputs(const ModelInputs& inputs, const Binding& binding);

// A program bound to a file of records, of which no row has been read.
struct BoundFile {
  BoundModel bound;
  RecordFile file;
};

// `public_names` are of a JSON file, parted by commas.
BoundFile bind_to_file(const ModelInputs& inputs, const DataBlock& data, const std::string& file,
                       const std::string& public_names);

std::vector<std::string> name_list(const std::string& names);

}  // namespace dpvi::cli
