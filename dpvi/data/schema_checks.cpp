#include <dpvi/data/schema_checks.hpp>

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/nearest_name.hpp>
#include <dpvi/data/number_parser.hpp>

namespace dpvi {
namespace {

bool contains(std::span<const std::string> names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string letters_of(std::string_view name) {
  std::string letters(without_blanks(name));
  for (char& c : letters) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
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
        fmt::format("model.{} is not record data of the program, which has {} as its first size.",
                    name, request.record_count),
        near ? fmt::format("Did you mean '{}'?", *near)
             : fmt::format("Available: {}. Public values go under [public].", list_names(names)),
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
                     fmt::format("public.{} is not public data of the program.", name),
                     near ? fmt::format("Did you mean '{}'?", *near)
                          : fmt::format("Available: {}.", list_names(names)),
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
  throw InputError(kMissingColumn,
                   fmt::format("column '{}' is not in the header of {}.", name, request.table_file),
                   similar_names_hint(name, *request.header) + header_text(*request.header),
                   place.file.empty() ? SourcePlace{request.table_file, 1, 0} : place);
}

std::string similar_names_hint(const std::string& name, std::span<const std::string> header) {
  const auto same_letters = [&](const std::string& other) {
    return letters_of(other) == letters_of(name);
  };
  auto found = std::find_if(header.begin(), header.end(), same_letters);
  if (found != header.end()) {
    return fmt::format("Column {} differs from it only in case or blanks. ",
                       found - header.begin() + 1);
  }
  const std::optional<std::string> near = nearest_name(name, header);
  if (!near) return {};
  found = std::find(header.begin(), header.end(), *near);
  return fmt::format("Column {} has a similar name. ", found - header.begin() + 1);
}

std::string header_text(std::span<const std::string> header) {
  if (header.size() == 1) {
    for (const auto& [separator, name] :
         {std::pair{';', "semicolons"}, {'\t', "tabs"}, {'|', "bars"}}) {
      if (header[0].find(separator) == std::string::npos) continue;
      return fmt::format(
          "The header is one name with {0} in it. Separate cells by commas, not {0}, and write "
          "numbers with a decimal point.",
          name);
    }
  }
  return fmt::format("The header has {} name{}, not shown because the first line may be a record.",
                     header.size(), header.size() == 1 ? "" : "s");
}

std::string list_names(std::span<const std::string> names) {
  constexpr std::size_t kShown = 30;
  if (names.size() <= kShown) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, ... ({} in all)", fmt::join(names.first(kShown), ", "), names.size());
}

}  // namespace dpvi
