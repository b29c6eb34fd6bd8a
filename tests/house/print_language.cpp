#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/model/stan_functions.hpp>
#include <dpvi/stan/types/density_table.hpp>
#include <dpvi/stan/types/function_lookup.hpp>
#include <dpvi/stan/types/function_table.hpp>

// Prints the supported distributions and functions from the tables that define them, in the format
// of docs/model-language.md.
namespace dpvi {
namespace {

std::string entry(const FunctionLookup& lookup, const DensityRow& row) {
  std::vector<std::string> tails;
  for (const char* suffix : {"_lcdf", "_lccdf"}) {
    if (lookup.can_write(row.name, suffix)) tails.push_back(fmt::format("`{}`", suffix));
  }
  if (tails.empty()) return fmt::format("`{}`", row.name);
  if (tails.size() == 2) return fmt::format("`{}`†", row.name);
  return fmt::format("`{}` (also {})", row.name, tails[0]);
}

void print_densities(bool discrete, const char* title) {
  const StanProgram no_program;
  const FunctionLookup lookup(no_program, stan_functions());
  std::vector<std::string> names;
  for (const DensityRow& row : density_rows()) {
    if (row.discrete != discrete) continue;
    if (!lookup.can_write(row.name, discrete ? "_lpmf" : "_lpdf")) continue;
    names.push_back(entry(lookup, row));
  }
  std::sort(names.begin(), names.end());
  fmt::print("**{}:** {}.\n\n", title, fmt::join(names, ", "));
}

void print_functions() {
  std::vector<std::string> names;
  for (const std::string_view name : function_names()) names.push_back(fmt::format("`{}`", name));
  fmt::print("**Functions:** {}.\n", fmt::join(names, ", "));
}

}  // namespace
}  // namespace dpvi

int main() {
  using namespace dpvi;
  print_densities(false, "Continuous distributions");
  print_densities(true, "Discrete distributions");
  print_functions();
  return 0;
}
