#include <dpvi/api/program_schema.hpp>

#include <dpvi/data/header_line.hpp>
#include <dpvi/fit/prepare/requested_facts.hpp>

namespace dpvi {

SchemaDraft draft_schema(const Program& program, const std::string& table, HeaderNames shown) {
  BindingRequest request = program.binding_request();
  if (!table.empty()) {
    request.table_file = table;
    request.header = read_header_line(table);
  }
  return draft_schema(request, requested_facts(program.inputs().program.program, program.data()),
                      shown);
}

}  // namespace dpvi
