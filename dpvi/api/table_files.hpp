#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/program.hpp>
#include <dpvi/api/table.hpp>

namespace dpvi {

// The files of a program with several tables, in the order of its record counts, as one table;
// nullopt if its tables have no files of their own. Reads nothing before the table is opened.
std::optional<Table> table_of_files(const Program& program);

// The paths of these files.
std::vector<std::string> paths_of_tables(const Schema& schema);

// Refuses (DP103) a table beside tables with files of their own, and none without them.
void refuse_other_table(const Schema& schema, const std::string& table);

}  // namespace dpvi
