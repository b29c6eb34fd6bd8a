#pragma once

#include <memory>
#include <string>
#include <vector>

#include <dpvi/api/program.hpp>
#include <dpvi/api/table.hpp>
#include <dpvi/data/binding.hpp>
#include <dpvi/fit/prepare/public_inputs.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/fit/prepare/release_model.hpp>
#include <dpvi/fit/prepare/unopened_records.hpp>

namespace dpvi {

// A program bound to the columns of a table. It knows their names and no row.
struct BoundModel {
  Program program;
  Binding binding;
  std::vector<PublicFact> public_facts;
  RecordModel model;

  // Options under which the program was built. They are known before any record is read.
  StanModelOptions options() const;
};

// The same program in release coordinates.
std::shared_ptr<const ReleaseModel> release_model(const BoundModel& bound);

// Binds to the column names of the program and schema when there is no table.
BoundModel bind_without_table(const Program& program);

// Binds to a table with these columns. Messages refer to the table as `table`.
BoundModel bind_to_columns(const Program& program, std::vector<std::string> header,
                           const std::string& table);

// A program bound to records that have not been opened.
struct BoundTable {
  std::shared_ptr<const BoundModel> bound;
  UnopenedRecords records;
};

// Reads the names of the table, and the public values of Stan JSON, and no row.
BoundTable bind_to_table(const Program& program, Table table);

// Returns the table columns that make up a record variable.
std::vector<std::string> columns_of(const Binding& binding, const std::string& variable);

// Returns the public inputs that a bundle must record for later use.
PublicInputs public_inputs(const BoundModel& bound);

}  // namespace dpvi
