#pragma once

#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/stan/run/stan_model.hpp>

namespace dpvi {

// Conversions between the terms of the model and the terms of the data.

// Returns the data that a program's data block requires. Sizes refer to the program, which must
// outlive them.
std::vector<DataVariable> data_variables(const DataBlock& data, const std::string& file);

// Return the public data and column facts known before any record is read, in the form that running
// the program requires.
KnownData known_data(const PublicData& data);
RecordFacts record_facts(const Binding& binding);

// Throws InternalError unless the program's columns and the binding's slots are the same numbers in
// the same order.
void check_same_columns(const StanModel& model, const Binding& binding);

// The record counts: those of the schema's tables, else the one named.
std::vector<std::string> record_counts(const Schema& schema, const std::string& record_count);

}  // namespace dpvi
