#include <dpvi/api/inspected_table.hpp>

#include <utility>

#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/json_records.hpp>
#include <dpvi/data/text_columns.hpp>
#include <dpvi/fit/prepare/unopened_records.hpp>

namespace dpvi {
namespace {

InspectedTable inspect(ColumnSource& source, const Binding& binding) {
  TableInspector inspector(binding);
  while (const TypedBlock* block = source.next_block()) inspector.add(*block);
  return {binding, inspector.result()};
}

InspectedTable inspect_csv(CsvReader& csv, const Binding& binding) {
  TextColumns source(csv, column_request(binding, UnlistedTexts::kept));
  return inspect(source, binding);
}

InspectedTable inspect_json(JsonData file, const BindingRequest& request, const Binding& binding) {
  JsonColumns source(std::move(file), request, binding, UnlistedTexts::kept);
  return inspect(source, binding);
}

}  // namespace

InspectedTable inspect_table(const Program& program, const TableFile& table) {
  BindingRequest request = program.binding_request();
  request.table_file = table.path;
  if (is_json(table.path)) {
    JsonData file = read_stan_json(table.path);
    const JsonBinding bound = bind_json(file, request, table.public_names);
    return inspect_json(std::move(file), bound.request, bound.binding);
  }
  CsvReader csv(table.path);
  request.header = csv.header();
  return inspect_csv(csv, bind_columns(request));
}

InspectedTable inspect_table(const Schema& schema, const std::string& record_count,
                             const TableFile& table) {
  BindingRequest request;
  request.schema = schema;
  request.record_count = record_count;
  request.table_file = table.path;
  if (is_json(table.path)) {
    JsonData file = read_stan_json(table.path);
    request.header = json_columns(file, request);
    const Binding binding = columns_of_schema(request);
    return inspect_json(std::move(file), request, binding);
  }
  CsvReader csv(table.path);
  request.header = csv.header();
  return inspect_csv(csv, columns_of_schema(request));
}

}  // namespace dpvi
