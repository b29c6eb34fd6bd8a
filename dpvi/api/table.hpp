#pragma once

#include <string>
#include <variant>
#include <vector>

#include <dpvi/data/memory_table.hpp>

namespace dpvi {

// A file of records: CSV (also .gz and .zst) or Stan JSON.
struct TableFile {
  std::string path;
  // Variables of a Stan JSON file that are public; a CSV file has none.
  std::vector<std::string> public_names = {};
};

// Where the records are. Naming a table reads none of its cells. The cells of a table in memory
// must live until its records are opened.
using Table = std::variant<TableFile, MemoryTable>;

}  // namespace dpvi
