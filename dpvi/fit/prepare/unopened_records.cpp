#include <dpvi/fit/prepare/unopened_records.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include <dpvi/base/all_cores.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/data/json_records.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/store_columns.hpp>
#include <dpvi/data/stream_columns.hpp>
#include <dpvi/data/table_inspection.hpp>
#include <dpvi/data/text_columns.hpp>

namespace dpvi {
namespace {

// Refuses a table with a column that has no usable cell.
void refuse_unusable(const TableInspector& inspector) {
  const TableInspection found = inspector.result();
  const ColumnInspection* column = found.first_unusable_column();
  if (column == nullptr) return;
  throw InputError(kNothingUsable,
                   fmt::format("column '{}' has no usable cell, and --inspect-first stops the "
                               "fit in that case.",
                               column->name),
                   "Look at the table with 'dpvi inspect'.");
}

void read_inspected(ColumnSource& source, const Binding& binding, PreparedRecords& records) {
  TableInspector inspector(binding);
  RecordReader reader(binding);
  while (const TypedBlock* block = source.next_block()) {
    inspector.add(*block);
    reader.append(*block, records);
  }
  refuse_unusable(inspector);
}

void read(ColumnSource& source, const Binding& binding, PreparedRecords& records,
          InspectFirst inspect) {
  if (inspect == InspectFirst::yes) {
    read_inspected(source, binding, records);
  } else {
    read_records(source, binding, records);
  }
}

bool is_public_variable(const BindingRequest& request, const std::string& name) {
  return std::ranges::any_of(request.variables, [&](const DataVariable& variable) {
    return variable.name == name && !variable.per_record;
  });
}

// The sizes in Stan JSON may follow the records, so the file is read twice.
void refuse_pipe(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(file, ignored);
  if (!std::filesystem::is_fifo(status) && !std::filesystem::is_character_file(status)) return;
  throw MissingInputError(kFileMissing,
                          fmt::format("'{}' cannot be read: it is a pipe, and Stan JSON is read "
                                      "twice, once for its public values and once for its records.",
                                      file),
                          "Save the data to a file.");
}

}  // namespace

bool is_json(const std::string& file) { return file.ends_with(".json"); }

UnopenedRecords::UnopenedRecords(BindingRequest request,
                                 const std::vector<std::string>& public_names)
    : request_(std::move(request)) {
  if (is_json(request_.table_file)) {
    bind_json(public_names);
    return;
  }
  if (!public_names.empty()) {
    throw UsageError(kContradiction, "--public-names needs Stan JSON as DATA.",
                     "A CSV file has nothing but records; give public values with --public.");
  }
  if (is_record_store(request_.table_file)) {
    bind_store();
  } else {
    bind_csv();
  }
}

UnopenedRecords::UnopenedRecords(BindingRequest request, MemoryTable table)
    : request_(std::move(request)) {
  names_ = table.header();
  request_.header = names_;
  binding_ = bind_columns(request_);
  rows_ = std::move(table);
}

UnopenedRecords::UnopenedRecords(BindingRequest request, std::shared_ptr<ColumnStream> table)
    : request_(std::move(request)) {
  names_ = table->header();
  request_.header = names_;
  binding_ = bind_columns(request_);
  table->refuse_types(binding_);
  rows_ = std::move(table);
}

void UnopenedRecords::bind_csv() {
  const CsvReader& csv = rows_.emplace<CsvReader>(request_.table_file);
  names_ = csv.header();
  request_.header = names_;
  binding_ = bind_columns(request_);
}

void UnopenedRecords::bind_store() {
  const auto& store = rows_.emplace<std::shared_ptr<RecordStore>>(
      std::make_shared<RecordStore>(request_.table_file));
  names_ = store->names();
  request_.header = names_;
  binding_ = bind_columns(request_);
  refuse_other_declarations(*store, request_.schema, binding_);
}

std::shared_ptr<const RecordStore> UnopenedRecords::verified_store() const {
  const auto* store = std::get_if<std::shared_ptr<RecordStore>>(&rows_);
  if (store == nullptr) return nullptr;
  (*store)->verify(all_cores());
  return *store;
}

void UnopenedRecords::inspect_store(InspectFirst inspect) const {
  if (inspect == InspectFirst::no) return;
  StoreColumns source(*std::get<std::shared_ptr<RecordStore>>(rows_), column_request(binding_));
  TableInspector inspector(binding_);
  while (const TypedBlock* block = source.next_block()) inspector.add(*block);
  refuse_unusable(inspector);
}

void UnopenedRecords::bind_json(const std::vector<std::string>& public_names) {
  refuse_pipe(request_.table_file);
  if (!request_.schema.tables.empty()) {
    throw InputError(kNotBindable,
                     "a fit with several tables reads CSV files or data frames, not Stan JSON.",
                     "Write each table as a CSV file.", request_.schema.tables.front().place);
  }
  const JsonData outline =
      read_stan_json(request_.table_file, public_in_json(request_, public_names));
  for (const auto& [name, variable] : outline) {
    if (!is_public_variable(request_, name)) names_.push_back(name);
  }
  JsonBinding bound = dpvi::bind_json(outline, std::move(request_), public_names);
  request_ = std::move(bound.request);
  binding_ = std::move(bound.binding);
}

// Owns the rows, so that their memory is freed before records are gathered.
void UnopenedRecords::read_rows(PreparedRecords& records, InspectFirst inspect) && {
  if (auto* opened = std::get_if<CsvReader>(&rows_)) {
    CsvReader csv(std::move(*opened));
    TextColumns source(csv, column_request(binding_));
    read(source, binding_, records, inspect);
  } else if (const auto* table = std::get_if<MemoryTable>(&rows_)) {
    OnePiece piece(*table);
    StreamColumns source(piece, column_request(binding_));
    read(source, binding_, records, inspect);
  } else if (const auto* store = std::get_if<std::shared_ptr<RecordStore>>(&rows_)) {
    StoreColumns source(**store, column_request(binding_));
    read(source, binding_, records, inspect);
  } else if (const auto* stream = std::get_if<std::shared_ptr<ColumnStream>>(&rows_)) {
    StreamColumns source(**stream, column_request(binding_));
    read(source, binding_, records, inspect);
  } else {
    JsonColumns source(read_stan_json(request_.table_file), request_, binding_);
    read(source, binding_, records, inspect);
  }
}

}  // namespace dpvi
