#pragma once

#include <string>

#include <dpvi/api/program.hpp>
#include <dpvi/api/table.hpp>
#include <dpvi/data/table_inspection.hpp>

namespace dpvi {

// How the cells of a private table are read. It is not protected: for the curator only.
struct InspectedTable {
  Binding binding;
  TableInspection found;
};

// Reads the columns that the program needs, under the program's and the schema's declarations.
InspectedTable inspect_table(const Program& program, const Table& table);

// Reads the columns that the schema declares. `record_count` names the record count of Stan JSON.
InspectedTable inspect_table(const Schema& schema, const std::string& record_count,
                             const Table& table);

}  // namespace dpvi
