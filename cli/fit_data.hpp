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

// With columns as program and schema name them, for want of a table.
BoundModel bind_without_table(const ModelInputs& inputs, const DataBlock& data);

struct OpenedData {
  BoundModel bound;
  RecordTable records;  // in the columns that the model reads
};

// In which precision records are to be kept; asked before any is read.
using ChoosePrecision = Precision (*)(const RecordModel& model, const Binding& binding);
inline Precision always_double(const RecordModel&, const Binding&) {
  return Precision::double_precision;
}

// Reads a CSV or Stan JSON file whole and checks its structure to the last byte.
// Guarantee: not more than one copy of the records is held at a time.
OpenedData open_data(const std::string& file, const std::string& public_names,
                     const ModelInputs& inputs, const DataBlock& data, ChoosePrecision choose);

}  // namespace dpvi::cli
