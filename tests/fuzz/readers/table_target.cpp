#include <string>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/text_columns.hpp>
#include <dpvi/data/text_file.hpp>
#include <tests/fuzz/readers/reader_target.hpp>
#include <tests/fuzz/readers/refusal.hpp>
#include <tests/support/data_variables.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

constexpr const char* kSchema = R"([table]
unit = "id"
max_rows_per_unit = 2
[columns.x]
lower = -10
upper = 10
mean = 1
sd = 2
standardise = true
[columns.g]
type = "category"
levels = ["a", "b"]
if_missing = "a"
[public]
K = 2
)";

void read_rows(const std::string& path) {
  CsvReader rows(path);
  BindingRequest request;
  request.variables = {public_size("N"),       public_size("K"), record_real("x"),
                       record_index("g", "K"), record_int("n"),  record_binary("y")};
  request.schema = parse_schema(kSchema, "s.toml");
  request.header = rows.header();
  const Binding binding = bind_columns(request);
  TextColumns source(rows, column_request(binding, UnlistedTexts::kept));
  read_records(source, binding);
}

void read_cells(const std::string& path) {
  CsvReader rows(path);
  while (rows.next_row()) {
  }
}

}  // namespace

// A table, plain or compressed: as records, as rows of any header, and as a text.
bool read_table(std::string_view content) {
  static const TemporaryFolder kFolder;
  const std::string path = kFolder.write("d.csv", content);
  const bool accepted = allow_refusal([&] { read_rows(path); });
  allow_refusal([&] { read_cells(path); });
  allow_refusal([&] { read_lines(path); });
  return accepted;
}

}  // namespace dpvi
