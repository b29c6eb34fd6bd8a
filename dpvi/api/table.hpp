#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <dpvi/data/arrow_stream.hpp>
#include <dpvi/data/column_stream.hpp>
#include <dpvi/data/memory_table.hpp>

namespace dpvi {

// A file of records: CSV (also .gz and .zst) or Stan JSON.
struct TableFile {
  std::string path;
  // Variables of a Stan JSON file that are public; a CSV file has none.
  std::vector<std::string> public_names = {};
};

// A table that another program holds, for example a data frame as an ArrowStream. Each call of
// `open` begins at the first row; a fit calls it once, and a ledger once more.
struct StreamedTable {
  std::function<std::shared_ptr<ColumnStream>()> open;
  std::string name = "data frame";  // for messages
};

// Where the records are. Naming a table reads none of its cells. The cells of a table in memory
// must live until its records are opened.
using Table = std::variant<TableFile, MemoryTable, StreamedTable>;

// For messages.
std::string name_of(const Table& table);

}  // namespace dpvi
