#include <fmt/format.h>

#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/stan/functions/density_calls.hpp>
#include <dpvi/stan/types/density_table.hpp>
#include <dpvi/stan/types/function_lookup.hpp>
#include <dpvi/stan/types/function_table.hpp>

// Reads calls such as "beta(int, array[] real)", one per line, and prints the type of each, or
// "refused: ..." with the reason. A well-typed call is evaluated on small known values; "differs:
// ..." reports a value that does not have the promised type.
namespace dpvi {
namespace {

// Splits at the commas outside brackets.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  int depth = 0;
  for (const char letter : text) {
    depth += letter == '[' || letter == '(' ? 1 : letter == ']' || letter == ')' ? -1 : 0;
    if (letter == ',' && depth == 0) {
      words.push_back(std::exchange(word, {}));
    } else if (letter != ' ' || depth > 0 || word.starts_with("array")) {
      word += letter;
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

StanType type_named(std::string_view word) {
  int rank = 0;
  if (word.starts_with("array[")) {
    const std::size_t end = word.find(']');
    rank = static_cast<int>(end - word.find('['));
    word.remove_prefix(end + 2);
  }
  return {base_type_named(word), rank};
}

// Every dimension has size 2. Vectors are simplexes, matrices positive definite, and counts small.
Value small_value(GraphBuilder& builder, StanType type) {
  Dims dims;
  for (int i = 0; i < type.rank(); ++i) dims.push(2);
  std::vector<double> numbers(static_cast<std::size_t>(dims.total()));
  const bool matrix = type.base == StanBase::matrix;
  constexpr double kMatrix[] = {1.0, 0.25, 0.25, 1.0};
  constexpr double kVector[] = {0.25, 0.75};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = matrix ? kMatrix[i % 4] : kVector[i % 2];
    if (type.base == StanBase::integer) numbers[i] = 1.0;
    if (type == kRealType) numbers[i] = 0.5;
  }
  return Value(type, dims, builder.constant(numbers));
}

std::string run_call(const std::string& name, const std::vector<StanType>& types, StanType result) {
  GraphBuilder builder;
  CallContext context(builder, stan_functions(), "call", {});
  context.function = name;
  std::vector<Value> arguments;
  for (const StanType type : types) arguments.push_back(small_value(builder, type));
  try {
    StanType found = result;
    if (const FunctionEntry* entry = find_function(name)) {
      if (name.ends_with("_jacobian")) return to_string(result);
      found = entry->row->run(context, arguments).type();
    } else if (const DensityName density = split_density_name(name); density.row != nullptr) {
      density_sum(context, *density.row, density.suffix, arguments);
    }
    const bool promoted = promotes_to(found, result) || promotes_to(result, found);
    if (!promoted) return fmt::format("differs: it is {}", to_string(found));
  } catch (const InputError& error) {
    if (error.code().id != kModelFails.id) return "refused: " + error.message();
  }
  return to_string(result);
}

std::string answer(const std::string& call) {
  const std::size_t open = call.find('(');
  if (open == std::string::npos || !call.ends_with(')')) return "refused: this is no call";
  const std::string name = call.substr(0, open);
  std::vector<StanType> types;
  for (const std::string& word : words_of(call.substr(open + 1, call.size() - open - 2))) {
    types.push_back(type_named(word));
    if (types.back().array_rank > static_cast<int>(kMaxArrayRank)) {
      return "refused: too many dimensions";
    }
    if (types.back().is_error()) return "refused: no type here is called " + word;
  }
  const StanProgram no_program;
  const FunctionLookup lookup(no_program, stan_functions());
  CallProblem problem;
  const auto resolved = lookup.resolve(name, types, problem);
  if (!resolved) return fmt::format("refused: {} {}", problem.message, problem.hint);
  return run_call(name, types, resolved->result);
}

}  // namespace
}  // namespace dpvi

int main() {
  std::string line;
  while (std::getline(std::cin, line)) fmt::print("{}\n", dpvi::answer(line));
  return 0;
}
