#include <dpvi/api/inspected_table.hpp>

#include <utility>

#include <dpvi/api/table_rows.hpp>
#include <dpvi/data/json_records.hpp>
#include <dpvi/fit/prepare/unopened_records.hpp>

namespace dpvi {
namespace {

InspectedTable inspect(ColumnSource& source, const Binding& binding) {
  TableInspector inspector(binding);
  while (const TypedBlock* block = source.next_block()) inspector.add(*block);
  return {binding, inspector.result()};
}

InspectedTable inspect_columns(TableRows& rows, const Binding& binding) {
  rows.refuse_types(binding);
  const auto source = rows.source(column_request(binding, UnlistedTexts::kept));
  return inspect(*source, binding);
}

// nullptr for a table that is no Stan JSON file.
const TableFile* json_file(const Table& table) {
  const auto* file = std::get_if<TableFile>(&table);
  return file != nullptr && is_json(file->path) ? file : nullptr;
}

InspectedTable inspect_json(JsonData file, const BindingRequest& request, const Binding& binding) {
  JsonColumns source(std::move(file), request, binding, UnlistedTexts::kept);
  return inspect(source, binding);
}

}  // namespace

InspectedTable inspect_table(const Program& program, const Table& table) {
  BindingRequest request = program.binding_request();
  request.table_file = name_of(table);
  if (const TableFile* named = json_file(table)) {
    JsonData file = read_stan_json(named->path);
    const JsonBinding bound = bind_json(file, request, named->public_names);
    return inspect_json(std::move(file), bound.request, bound.binding);
  }
  TableRows rows(table);
  request.header = rows.header();
  return inspect_columns(rows, bind_columns(request));
}

InspectedTable inspect_table(const Schema& schema, const std::string& record_count,
                             const Table& table) {
  BindingRequest request;
  request.schema = schema;
  request.record_count = record_count;
  request.table_file = name_of(table);
  if (const TableFile* named = json_file(table)) {
    JsonData file = read_stan_json(named->path);
    request.header = json_columns(file, request);
    const Binding binding = columns_of_schema(request);
    return inspect_json(std::move(file), request, binding);
  }
  TableRows rows(table);
  request.header = rows.header();
  return inspect_columns(rows, columns_of_schema(request));
}

}  // namespace dpvi
