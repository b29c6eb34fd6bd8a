#include <dpvi/api/table_files.hpp>

#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/error.hpp>
#include <dpvi/data/counted_files.hpp>

namespace dpvi {
namespace {

// A schema names files beside it; the command line names them as they are.
std::string path_of(const Schema& schema, const CountedTable& table) {
  if (table.place.file.empty()) return table.file;
  return (std::filesystem::path(schema.file).parent_path() / table.file).string();
}

}  // namespace

std::vector<std::string> paths_of_tables(const Schema& schema) {
  std::vector<std::string> paths;
  for (const CountedTable& table : schema.tables) {
    if (!table.file.empty()) paths.push_back(path_of(schema, table));
  }
  return paths;
}

std::optional<Table> table_of_files(const Program& program) {
  const Schema& schema = program.inputs().schema;
  const std::vector<std::string> paths = paths_of_tables(schema);
  if (paths.empty()) return std::nullopt;
  std::vector<CountedFile> files;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    files.push_back({schema.tables[i].count, paths[i]});
  }
  return StreamedTable{
      [files] { return std::make_shared<CountedFiles>(files, TableNumber::kName); },
      fmt::format("{}", fmt::join(paths, ", "))};
}

void refuse_other_table(const Schema& schema, const std::string& table) {
  const bool files = !paths_of_tables(schema).empty();
  if (files == table.empty()) return;
  throw UsageError(kContradiction,
                   files ? "DATA is given, and each table has a file of its own."
                         : "DATA, the table of records, is missing.",
                   files ? "Leave out DATA, or choose the rows of one file by where in the schema."
                         : "Name a CSV file, or several tables by --table COUNT=FILE.");
}

}  // namespace dpvi
