#include <dpvi/api/pack_table.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <dpvi/api/store_seal.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/data/binding.hpp>
#include <dpvi/data/byte_source.hpp>
#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/schema_checks.hpp>
#include <dpvi/data/store_writer.hpp>
#include <dpvi/data/text_columns.hpp>
#include <dpvi/fit/prepare/unopened_records.hpp>
#include <dpvi/ledger/ledger.hpp>
#include <dpvi/report/atomic_folder.hpp>

namespace dpvi {
namespace {

// The bytes of a table, which enter a fingerprint while they are read.
class FingerprintedBytes : public ByteSource {
 public:
  FingerprintedBytes(std::unique_ptr<ByteSource> bytes, DataFingerprint& fingerprint)
      : bytes_(std::move(bytes)), fingerprint_(fingerprint) {}

  std::size_t read(char* out, std::size_t size) override {
    const std::size_t got = bytes_->read(out, size);
    fingerprint_.add({out, got});
    return got;
  }
  void allow_read_ahead() override { bytes_->allow_read_ahead(); }

 private:
  std::unique_ptr<ByteSource> bytes_;
  DataFingerprint& fingerprint_;
};

void refuse_other_formats(const std::string& file) {
  if (!is_json(file)) return;
  throw UsageError(kContradiction,
                   "only CSV files are packed; Stan JSON is read whole in any case.",
                   "Save the records as CSV.");
}

CsvReader open_table(const std::string& file, std::optional<DataFingerprint>& fingerprint) {
  if (!fingerprint) return CsvReader(file);
  return {file,
          std::make_unique<FingerprintedBytes>(open_bytes(file, ReadAhead::no), *fingerprint)};
}

// Every column of the table, whatever program reads it.
ColumnRequest all_columns(const PackRequest& request, const std::vector<std::string>& header) {
  BindingRequest binding;
  binding.schema = request.schema;
  binding.table_file = request.table_file;
  binding.header = header;
  check_schema_fits(binding);
  ColumnRequest all;
  all.missing = request.schema.missing;
  all.unit = bound_unit(binding);
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (all.unit && all.unit->position == i) continue;
    all.columns.push_back(bound_column(header[i], i, request.schema));
  }
  return all;
}

std::vector<StoredColumn> stored_columns(const Schema& schema, const ColumnRequest& request,
                                         const std::vector<std::string>& header) {
  std::vector<StoredColumn> columns;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const bool is_unit = request.unit && request.unit->position == i;
    columns.push_back(is_unit ? stored_unit(header[i], schema) : stored_column(header[i], schema));
  }
  return columns;
}

void append_rows(CsvReader& csv, const ColumnRequest& columns, StoreWriter& writer,
                 const std::function<bool()>& go_on) {
  TextColumns source(csv, columns);
  while (const TypedBlock* block = source.next_block()) {
    writer.append(*block);
    if (go_on && !go_on()) {
      throw Error(kInterrupted, "stopped; nothing was written.", "Run the command again.");
    }
  }
}

}  // namespace

PackedTable pack_table(const PackRequest& request) {
  refuse_other_formats(request.table_file);
  NewFile file(request.store_file);
  std::optional<Ledger> ledger;
  std::optional<DataFingerprint> fingerprint;
  if (!request.ledger_file.empty()) {
    ledger.emplace(request.ledger_file);
    fingerprint.emplace(ledger->new_fingerprint());
  }
  CsvReader csv = open_table(request.table_file, fingerprint);
  const ColumnRequest columns = all_columns(request, csv.header());
  StoreWriter writer(file.path(), request.store_file.string(),
                     stored_columns(request.schema, columns, csv.header()));
  append_rows(csv, columns, writer, request.go_on);
  const std::string content = writer.finish();
  writer.close(ledger ? store_seal(*ledger, content, fingerprint->finish()) : "");
  file.finish();
  return {csv.header().size(), writer.row_bytes()};
}

}  // namespace dpvi
