#pragma once

#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/stan/stan_model.hpp>

namespace dpvi {

// Where the words of the model and the words of the data meet.

// What a program's data block asks a table for. Sizes refer to the program, which must outlive
// them.
std::vector<DataVariable> data_variables(const DataBlock& data, const std::string& file);

// What is known of the data before any record is read, as the program's run wants it.
KnownData known_data(const PublicData& data);
RecordFacts record_facts(const Binding& binding);

// Throws InternalError unless the program's columns and the binding's slots are the same numbers in
// the same order.
void check_same_columns(const StanModel& model, const Binding& binding);

}  // namespace dpvi
