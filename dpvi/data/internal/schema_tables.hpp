#pragma once

#include <dpvi/data/internal/schema_section.hpp>
#include <dpvi/data/schema.hpp>

namespace dpvi {

// Reads [tables.COUNT], one for each record count. Call it after the sections that it must agree
// with: [table], [columns] and [model].
void read_tables_section(const SchemaSection& section, Schema& schema);

}  // namespace dpvi
