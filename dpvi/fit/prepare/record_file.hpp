#pragma once

#include <string>
#include <variant>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/csv_reader.hpp>
#include <dpvi/fit/prepare/prepared_records.hpp>

namespace dpvi {

class PrivateFitPlan;
class PrivateRecords;
class RecordModel;
class UnprotectedRecords;

// Whether to refuse (DP360) a table that has a column without a usable cell.
enum class InspectFirst { no, yes };

// A file of records of which only the public part has been read: the header line of a CSV file, or
// the names and public values of a Stan JSON file. Only open_records() and
// open_unprotected_records() read its rows (private_records.hpp). Rows of a CSV file are read one
// by one, so one copy of the records is held at a time, or two if rows of one unit are far apart.
// Stan JSON is parsed whole before its rows are read.
class RecordFile {
 public:
  // Binds the program to the file named by `request.table_file`. `public_names` lists public
  // variables of a Stan JSON file; a CSV file has none (DP103).
  RecordFile(BindingRequest request, const std::vector<std::string>& public_names);

  // The request, completed with the public content of the file.
  const BindingRequest& request() const { return request_; }
  const Binding& binding() const { return binding_; }

 private:
  friend PrivateRecords open_records(const PrivateFitPlan& plan, RecordFile file,
                                     InspectFirst inspect);
  friend UnprotectedRecords open_unprotected_records(const RecordModel& model, RecordFile file,
                                                     InspectFirst inspect);

  // Stan JSON is scanned for its public part first and read again for its rows.
  struct JsonFile {};

  void bind_csv();
  void bind_json(const std::vector<std::string>& public_names);
  void read_rows(PreparedRecords& records, InspectFirst inspect) &&;

  BindingRequest request_;
  Binding binding_;
  std::variant<JsonFile, CsvReader> rows_;
};

// Decides by the file name.
bool is_json(const std::string& file);

}  // namespace dpvi
