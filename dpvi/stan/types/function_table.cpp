#include <dpvi/stan/types/function_table.hpp>

#include <map>

namespace dpvi {
namespace {

using Table = std::map<std::string_view, FunctionEntry>;

Table make_table() {
  Table table;
  for (const std::span<const FunctionRow> rows :
       {elementwise_function_rows(), reduction_function_rows(), container_function_rows(),
        made_container_rows(), matrix_function_rows(), matrix_solving_rows(),
        factorial_function_rows(), operator_function_rows(), gaussian_process_rows(),
        constrain_function_rows(), decomposition_rows(), sparse_function_rows()}) {
    for (const FunctionRow& row : rows) {
      table[row.name] = FunctionEntry{&row, parse_signatures(row.signatures)};
    }
  }
  return table;
}

const Table& table() {
  static const Table kTable = make_table();
  return kTable;
}

}  // namespace

const FunctionEntry* find_function(std::string_view name) {
  const auto found = table().find(name);
  return found == table().end() ? nullptr : &found->second;
}

std::vector<std::string_view> function_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, entry] : table()) names.push_back(name);
  return names;
}

}  // namespace dpvi
