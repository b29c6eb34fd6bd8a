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

bool is_data(const BindingRequest& request, const std::string& name) {
  return std::ranges::any_of(request.variables,
                             [&](const DataVariable& variable) { return variable.name == name; });
}

// One schema serves several programs: an entry for another one is no mistake. It is one if a
// variable of this program has a similar name and no entry of its own.
void check_model_section(const BindingRequest& request) {
  std::vector<std::string> names, unbound;
  for (const DataVariable& variable : request.variables) {
    if (!variable.per_record || variable.is_table_number) continue;
    names.push_back(variable.name);
    if (!request.schema.bindings.contains(variable.name)) unbound.push_back(variable.name);
  }
  for (const auto& [name, declared] : request.schema.bindings) {
    if (contains(names, name)) continue;
    const std::optional<std::string> near = nearest_name(name, unbound);
    if (!near && !is_data(request, name)) continue;
    throw InputError(
        kNotBindable,
        fmt::format("model.{} is not record data of the program, which has {} as its first size.",
                    name, request.record_count),
        near ? fmt::format("Did you mean '{}'?", *near)
             : fmt::format("Available: {}. Public values go under [public].", list_names(names)),
        declared.place);
  }
}

// Entries for other programs are ignored; see check_model_section().
void check_public_section(const BindingRequest& request) {
  std::vector<std::string> names, without_value;
  for (const DataVariable& variable : request.variables) {
    if (variable.per_record || variable.name == request.record_count) continue;
    names.push_back(variable.name);
    const bool given = request.schema.public_values.contains(variable.name) ||
                       request.public_data.contains(variable.name);
    if (!given) without_value.push_back(variable.name);
  }
  for (const auto& [name, value] : request.schema.public_values) {
    if (contains(names, name)) continue;
    const std::optional<std::string> near = nearest_name(name, without_value);
    if (!near && !is_data(request, name)) continue;
    throw InputError(kUnknownSchemaKey,
                     fmt::format("public.{} is not public data of the program.", name),
                     near ? fmt::format("Did you mean '{}'?", *near)
                          : fmt::format("Available: {}.", list_names(names)),
                     value.place);
  }
}

// A schema may describe columns of other tables too, unless a column here has a similar name and is
// not declared.
void check_schema_columns(const BindingRequest& request) {
  if (!request.header || !request.only.empty()) return;
  std::vector<std::string> undeclared;
  for (const std::string& name : *request.header) {
    if (request.schema.find_column(name) == nullptr) undeclared.push_back(name);
  }
  for (const ColumnSchema& column : request.schema.columns) {
    const bool similar = nearest_name(column.name, undeclared).has_value() ||
                         std::ranges::any_of(undeclared, [&](const std::string& name) {
                           return letters_of(name) == letters_of(column.name);
                         });
    if (similar) require_column(request, column.name, column.place);
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
