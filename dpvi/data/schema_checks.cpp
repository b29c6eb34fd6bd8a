#include <dpvi/data/schema_checks.hpp>

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/nearest_name.hpp>

namespace dpvi {
namespace {

bool contains(std::span<const std::string> names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_model_section(const BindingRequest& request) {
  std::vector<std::string> names;
  for (const DataVariable& variable : request.variables) {
    if (variable.per_record) names.push_back(variable.name);
  }
  for (const auto& [name, declared] : request.schema.bindings) {
    if (contains(names, name)) continue;
    const std::optional<std::string> near = nearest_name(name, names);
    throw InputError(
        kNotBindable,
        fmt::format("model.{} names no data of the program that is led by {}.", name,
                    request.record_count),
        near ? fmt::format("Did you mean '{}'?", *near)
             : fmt::format("There is: {}. Public values go under [public].", list_names(names)),
        declared.place);
  }
}

void check_public_section(const BindingRequest& request) {
  std::vector<std::string> names;
  for (const DataVariable& variable : request.variables) {
    if (!variable.per_record && variable.name != request.record_count) {
      names.push_back(variable.name);
    }
  }
  for (const auto& [name, value] : request.schema.public_values) {
    if (contains(names, name)) continue;
    const std::optional<std::string> near = nearest_name(name, names);
    throw InputError(kUnknownSchemaKey,
                     fmt::format("public.{} names no public data of the program.", name),
                     near ? fmt::format("Did you mean '{}'?", *near)
                          : fmt::format("There is: {}.", list_names(names)),
                     value.place);
  }
}

void check_schema_columns(const BindingRequest& request) {
  if (!request.header || !request.only.empty()) return;
  for (const ColumnSchema& column : request.schema.columns) {
    require_column(request, column.name, column.place);
  }
}

}  // namespace

void check_schema_fits(const BindingRequest& request) {
  check_model_section(request);
  check_public_section(request);
  check_schema_columns(request);
}

void require_column(const BindingRequest& request, const std::string& name,
                    const SourcePlace& place) {
  if (!request.header || contains(*request.header, name)) return;
  const std::vector<std::string>& header = *request.header;
  std::string hint;
  if (const auto near = nearest_name(name, header))
    hint = fmt::format("Did you mean '{}'? ", *near);
  hint += header_words(header);
  throw InputError(kMissingColumn,
                   fmt::format("column '{}' is not in the header of {}.", name, request.table_file),
                   hint, place.file.empty() ? SourcePlace{request.table_file, 1, 0} : place);
}

std::string header_words(std::span<const std::string> header) {
  if (header.size() == 1) {
    for (const auto& [separator, name] :
         {std::pair{';', "semicolons"}, {'\t', "tabs"}, {'|', "bars"}}) {
      if (header[0].find(separator) == std::string::npos) continue;
      return fmt::format(
          "The header is one name with {0} in it: cells must be separated by commas, not {0}, and "
          "numbers written with a decimal point.",
          name);
    }
  }
  return fmt::format("The header has: {}.", list_names(header));
}

std::string list_names(std::span<const std::string> names) {
  constexpr std::size_t kShown = 30;
  if (names.size() <= kShown) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, ... ({} in all)", fmt::join(names.first(kShown), ", "), names.size());
}

}  // namespace dpvi
