#pragma once

#include <string>

#include <dpvi/api/program.hpp>
#include <dpvi/data/schema_draft.hpp>

namespace dpvi {

// Drafts a schema for the program from the header line of a CSV file. Reads no record. If `table`
// is empty, columns are named after the program's variables.
SchemaDraft draft_schema(const Program& program, const std::string& table, HeaderNames shown);

}  // namespace dpvi
