#include <dpvi/api/inspected_table.hpp>

#include <utility>

#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/json_records.hpp>
#include <dpvi/fit/prepare/unopened_records.hpp>

namespace dpvi {
namespace {

template <typename Rows>
InspectedTable inspect(Rows& rows, const Binding& binding) {
  TableInspector inspector(binding);
  while (rows.next_row()) inspector.add_row(rows.cells());
  return {binding, inspector.result()};
}

}  // namespace

InspectedTable inspect_table(const Program& program, const TableFile& table) {
  BindingRequest request = program.binding_request();
  request.table_file = table.path;
  if (is_json(table.path)) {
    JsonData file = read_stan_json(table.path);
    const JsonBinding bound = bind_json(file, request, table.public_names);
    JsonRows rows(std::move(file), bound.request, bound.binding);
    return inspect(rows, bound.binding);
  }
  CsvReader csv(table.path);
  request.header = csv.header();
  return inspect(csv, bind_columns(request));
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
    JsonRows rows(std::move(file), request, binding);
    return inspect(rows, binding);
  }
  CsvReader csv(table.path);
  request.header = csv.header();
  return inspect(csv, columns_of_schema(request));
}

}  // namespace dpvi
