#pragma once

#include <string>
#include <vector>

#include <dpvi/data/record_table.hpp>
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

struct OpenedData {
  BoundModel bound;
  RecordTable records;  // in the columns that the model reads
};

// In which precision records are to be kept; asked before any is read.
using ChoosePrecision = Precision (*)(const RecordModel& model, const Binding& binding);
inline Precision always_double(const RecordModel&, const Binding&) {
  return Precision::double_precision;
}

struct DataSource {
  std::string file;
  std::string public_names;    // of a JSON file, parted by commas
  bool inspect_first = false;  // refuse (DP360) a table with a column that has no usable cell
  ChoosePrecision choose_precision = always_double;
};

// Reads a CSV or Stan JSON file whole and checks its structure to the last byte.
// Guarantee: not more than one copy of the records is held at a time, or two where rows of one
// unit lie far apart.
OpenedData open_data(const DataSource& source, const ModelInputs& inputs, const DataBlock& data);

bool is_json(const std::string& file);
std::vector<std::string> name_list(const std::string& names);

}  // namespace dpvi::cli
