#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/column_stream.hpp>
#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/memory_table.hpp>
#include <dpvi/data/record_store.hpp>
#include <dpvi/fit/prepare/prepared_records.hpp>

namespace dpvi {

class PrivateFitPlan;
class PrivateRecords;
class RecordModel;
class UnprotectedRecords;
struct RecordMemory;

// Whether to refuse (DP360) a table that has a column without a usable cell.
enum class InspectFirst { no, yes };

// Records of which only the public part has been read: the header line of a CSV file, the names and
// public values of a Stan JSON file, names and declarations of a record store, or the column names
// of a table in memory or of a stream. Only
// open_records() and open_unprotected_records() read their rows (private_records.hpp). Rows of a
// CSV file are read one by one, so one copy of the records is held at a time, or two if rows of one
// unit are far apart. Stan JSON is parsed whole before its rows are read.
class UnopenedRecords {
 public:
  // Binds the program to the file named by `request.table_file`. `public_names` lists public
  // variables of a Stan JSON file; a CSV file has none (DP103).
  UnopenedRecords(BindingRequest request, const std::vector<std::string>& public_names);
  // Binds the program to the columns of a table in memory.
  UnopenedRecords(BindingRequest request, MemoryTable table);
  // Binds the program to the columns of a table that another program holds.
  UnopenedRecords(BindingRequest request, std::shared_ptr<ColumnStream> table);

  // The request, completed with the public part of the records.
  const BindingRequest& request() const { return request_; }
  const Binding& binding() const { return binding_; }
  // Names of the columns, in the order of the table: of a Stan JSON file, those of all variables
  // that are not public data of the program.
  const std::vector<std::string>& names() const { return names_; }

 private:
  friend PrivateRecords open_records(const PrivateFitPlan& plan, UnopenedRecords unopened,
                                     InspectFirst inspect, const RecordMemory& memory);
  friend UnprotectedRecords open_unprotected_records(const RecordModel& model,
                                                     UnopenedRecords unopened,
                                                     InspectFirst inspect);

  // Stan JSON is scanned for its public part first and read again for its rows.
  struct JsonFile {};

  void bind_csv();
  void bind_store();
  void bind_json(const std::vector<std::string>& public_names);
  void read_rows(PreparedRecords& records, InspectFirst inspect) &&;
  // nullptr if the records are in no record store.
  std::shared_ptr<const RecordStore> verified_store() const;
  // Reads a verified store once if that is wanted, and keeps no row.
  void inspect_store(InspectFirst inspect) const;

  BindingRequest request_;
  Binding binding_;
  std::vector<std::string> names_;
  std::variant<JsonFile, CsvReader, MemoryTable, std::shared_ptr<ColumnStream>,
               std::shared_ptr<RecordStore>>
      rows_;
};

// Decides by the file name.
bool is_json(const std::string& file);

}  // namespace dpvi
