#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <dpvi/stan/types/signature.hpp>

namespace dpvi {

class Value;
class CallContext;
// Implements one of Stan's functions; the arguments match one of its signatures.
using BuiltinFunction = Value (*)(CallContext&, std::span<const Value>);

// One of Stan's functions other than distributions: its signatures and its implementation. All rows
// together list the functions that programs may use (density_table.hpp lists the distributions).
struct FunctionRow {
  std::string_view name;
  std::string_view signatures;
  BuiltinFunction run;
};

struct FunctionEntry {
  const FunctionRow* row = nullptr;
  std::vector<Signature> signatures;
};

// Null if the name is not in the table.
const FunctionEntry* find_function(std::string_view name);
std::vector<std::string_view> function_names();

// The parts of the table, each defined in the file that implements its functions.
std::span<const FunctionRow> elementwise_function_rows();
std::span<const FunctionRow> reduction_function_rows();
std::span<const FunctionRow> container_function_rows();
std::span<const FunctionRow> made_container_rows();
std::span<const FunctionRow> matrix_function_rows();
std::span<const FunctionRow> matrix_solving_rows();
std::span<const FunctionRow> factorial_function_rows();
std::span<const FunctionRow> operator_function_rows();
std::span<const FunctionRow> gaussian_process_rows();
std::span<const FunctionRow> constrain_function_rows();
std::span<const FunctionRow> decomposition_rows();
std::span<const FunctionRow> sparse_function_rows();

}  // namespace dpvi
