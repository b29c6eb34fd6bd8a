#pragma once

#include <string>
#include <variant>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/csv_reader.hpp>
#include <dpvi/fit/prepared_records.hpp>

namespace dpvi {

class PrivateFitPlan;
class PrivateRecords;
class RecordModel;
class UnprotectedRecords;

// Whether a table is refused (DP360) that has a column without a usable cell.
enum class InspectFirst { no, yes };

// A file of records of which only what is public has been looked at: the header line of a CSV file,
// the names and public values of a Stan JSON file. Its rows are read by open_records() and
// open_unprotected_records() alone (private_records.hpp).
// Guarantee: not more than one copy of the records is held at a time, or two where rows of one unit
// lie far apart.
class RecordFile {
 public:
  // Binds the program to the file that `request.table_file` names. `public_names` are variables of
  // a Stan JSON file that are public; a CSV file has none (DP103).
  RecordFile(BindingRequest request, const std::vector<std::string>& public_names);

  // With what the file adds to it.
  const BindingRequest& request() const { return request_; }
  const Binding& binding() const { return binding_; }

 private:
  friend PrivateRecords open_records(const PrivateFitPlan& plan, RecordFile file,
                                     InspectFirst inspect);
  friend UnprotectedRecords open_unprotected_records(const RecordModel& model, RecordFile file,
                                                     InspectFirst inspect);

  // Stan JSON is looked over first and read again for its rows.
  struct JsonFile {};

  void bind_csv();
  void bind_json(const std::vector<std::string>& public_names);
  void read_rows(PreparedRecords& records, InspectFirst inspect) &&;

  BindingRequest request_;
  Binding binding_;
  std::variant<JsonFile, CsvReader> rows_;
};

// By its name.
bool is_json(const std::string& file);

}  // namespace dpvi
