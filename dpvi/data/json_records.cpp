#include <dpvi/data/json_records.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/nearest_name.hpp>
#include <dpvi/data/indexed_columns.hpp>
#include <dpvi/data/number_parser.hpp>
#include <dpvi/data/schema_checks.hpp>
#include <dpvi/data/shape.hpp>

namespace dpvi {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void refuse_unknown_public_names(const BindingRequest& request,
                                 const std::vector<std::string>& public_names) {
  std::vector<std::string> allowed;
  for (const DataVariable& variable : request.variables) {
    if (!variable.per_record && variable.name != request.record_count) {
      allowed.push_back(variable.name);
    }
  }
  for (const std::string& name : public_names) {
    if (contains(allowed, name)) continue;
    const std::optional<std::string> near = nearest_name(name, allowed);
    throw UsageError(kValueOutsideRule,
                     fmt::format("the public name '{}' is not public data of the program; record "
                                 "data and {} cannot be made public.",
                                 name, request.record_count),
                     near ? fmt::format("Did you mean '{}'?", *near)
                          : fmt::format("Available: {}.", fmt::join(allowed, ", ")));
  }
}

bool becomes_public(const DataVariable& variable, const BindingRequest& request,
                    const std::vector<std::string>& public_names) {
  if (variable.per_record || variable.name == request.record_count) return false;
  const bool is_size = variable.used_as_size && variable.is_integer_scalar();
  return is_size || contains(public_names, variable.name);
}

// Takes public values from the file. Refuses a value that the result would reveal although nobody
// declared it public.
void take_public_values(const JsonData& data, BindingRequest& request,
                        const std::vector<std::string>& public_names) {
  for (const DataVariable& variable : request.variables) {
    const auto found = data.find(variable.name);
    if (variable.per_record || variable.name == request.record_count || found == data.end()) {
      continue;
    }
    const bool declared = request.public_data.contains(variable.name) ||
                          request.schema.public_values.contains(variable.name);
    if (becomes_public(variable, request, public_names)) {
      add_public_value(request.public_data, variable.name,
                       public_value(variable.name, found->second));
    } else if (!declared) {
      throw LeakError(
          kWouldPublish,
          fmt::format("'{}' ({}) is in the records file and {} is not its first size; the result "
                      "would reveal it.",
                      variable.name, variable.type_description, request.record_count),
          fmt::format("If it is public, give --public-names {}, or move it to a --public file.",
                      variable.name),
          found->second.place);
    }
  }
}

// Returns the list that a record variable is read from, or null if the schema names other columns
// for it.
const JsonVariable* require_variable(const DataVariable& variable, const JsonData& data,
                                     const BindingRequest& request) {
  if (request.schema.bindings.contains(variable.name)) return nullptr;
  const auto found = data.find(variable.name);
  if (found != data.end()) return &found->second;
  // The message shows no names from the file: if the file is not Stan data, they may be ids of
  // persons.
  std::vector<std::string> names;
  for (const auto& [name, value] : data) names.push_back(name);
  const std::optional<std::string> near = nearest_name(variable.name, names);
  throw InputError(
      kMissingVariable,
      fmt::format("'{}' ({}) is not in the data.", variable.name, variable.type_description),
      near ? "The file has a similar name at this place."
           : fmt::format("The data have {} variables, none with a similar name.", names.size()),
      near ? data.find(*near)->second.place : SourcePlace{request.table_file, 0, 0});
}

// A column name interpreted as a list or as an element of a list.
struct ElementName {
  std::string list;
  std::vector<std::size_t> indices;
};

// "x.1.2" is itself, element 2 of "x.1" and element (1, 2) of "x".
std::vector<ElementName> readings_of(const std::string& name) {
  std::vector<ElementName> readings{{name, {}}};
  while (true) {
    const ElementName& last = readings.back();
    const std::size_t dot = last.list.rfind('.');
    if (dot == std::string::npos) return readings;
    const auto index = parse_integer(std::string_view(last.list).substr(dot + 1));
    if (!index || *index < 1) return readings;
    ElementName next{last.list.substr(0, dot), last.indices};
    next.indices.insert(next.indices.begin(), static_cast<std::size_t>(*index));
    readings.push_back(std::move(next));
  }
}

// Returns the names in a file that may be column names.
std::vector<std::string> list_names_of(const JsonData& outline, const BindingRequest& request) {
  std::vector<std::string> names;
  for (const auto& [name, value] : outline) {
    const auto is_public = [&, &own = name](const DataVariable& variable) {
      return variable.name == own && !variable.per_record;
    };
    const bool taken = name == request.record_count ||
                       std::any_of(request.variables.begin(), request.variables.end(), is_public);
    if (!taken) names.push_back(name);
  }
  return names;
}

// Refuses columns of the schema that the file has under no interpretation of their names.
void require_columns_of_schema(const JsonData& outline, const BindingRequest& request) {
  BindingRequest with_names = request;
  with_names.header = list_names_of(outline, request);
  const auto check = [&](const std::string& name, const SourcePlace& place) {
    for (const ElementName& reading : readings_of(name)) {
      if (contains(*with_names.header, reading.list)) return;
    }
    require_column(with_names, name, place);
  };
  for (const auto& [variable, declared] : request.schema.bindings) {
    if (!request.wants(variable)) continue;
    for (const std::string& name : declared.columns) check(name, declared.place);
  }
  if (!request.only.empty()) return;
  for (const ColumnSchema& column : request.schema.columns) check(column.name, column.place);
  if (const auto& unit = request.schema.unit) check(unit->column, unit->place);
}

std::optional<std::size_t> stated_count(const JsonData& data, const BindingRequest& request) {
  const auto stated = data.find(request.record_count);
  if (stated == data.end()) return std::nullopt;
  const JsonVariable& variable = stated->second;
  const auto count = variable.dimensions.empty() ? parse_integer(variable.cell(0)) : std::nullopt;
  if (!count || *count < 0) {
    throw InputError(kBadShape,
                     fmt::format("'{}' must be one integer of at least 0: the record count.",
                                 request.record_count),
                     "Correct the file.", variable.place);
  }
  return static_cast<std::size_t>(*count);
}

// Returns the record count stated by the file, else the length of the first list that is read.
std::size_t count_records(const JsonData& data, const BindingRequest& request,
                          const Binding& binding) {
  if (const auto stated = stated_count(data, request)) return *stated;
  for (const BoundColumn& column : binding.columns) {
    for (const ElementName& reading : readings_of(column.name)) {
      const auto found = data.find(reading.list);
      if (found != data.end() && !found->second.dimensions.empty()) {
        return found->second.dimensions[0];
      }
    }
  }
  return 0;
}

// With zero records a list is empty and its inner dimensions are unknown.
bool has_element(const JsonVariable& variable, const ElementName& name, std::size_t records) {
  const std::vector<std::size_t>& extents = variable.dimensions;
  if (records == 0) return std::find(extents.begin(), extents.end(), 0) != extents.end();
  if (extents.size() != name.indices.size() + 1 || extents[0] != records) return false;
  return std::equal(name.indices.begin(), name.indices.end(), extents.begin() + 1,
                    std::less_equal<>());
}

}  // namespace

WantsValue public_in_json(const BindingRequest& request,
                          const std::vector<std::string>& public_names) {
  std::vector<std::string> wanted;
  for (const DataVariable& variable : request.variables) {
    if (becomes_public(variable, request, public_names)) wanted.push_back(variable.name);
  }
  return [wanted = std::move(wanted)](const std::string& name) { return contains(wanted, name); };
}

JsonBinding bind_json(const JsonData& outline, BindingRequest request,
                      const std::vector<std::string>& public_names) {
  refuse_unknown_public_names(request, public_names);
  take_public_values(outline, request, public_names);
  for (const DataVariable& variable : request.variables) {
    if (variable.per_record && request.wants(variable.name)) {
      require_variable(variable, outline, request);
    }
  }
  request.header.reset();
  Binding binding = bind_columns(request);
  require_columns_of_schema(outline, request);
  return {std::move(request), std::move(binding)};
}

JsonColumns::JsonColumns(JsonData data, const BindingRequest& request, const Binding& binding,
                         UnlistedTexts unlisted_texts)
    : data_(std::move(data)),
      records_(count_records(data_, request, binding)),
      ids_(binding.missing),
      unlisted_texts_(unlisted_texts),
      block_(block_for(column_request(binding))) {
  for (const DataVariable& variable : request.variables) {
    if (!variable.per_record || !request.wants(variable.name)) continue;
    const JsonVariable* list = require_variable(variable, data_, request);
    if (list != nullptr) {
      check_shape(variable, list->dimensions, records_, binding.public_data, list->place);
    }
  }
  for (const BoundColumn& column : binding.columns) {
    columns_.push_back(
        {find_cells(column.name, request.table_file), CellParser(column, binding.missing)});
  }
  if (binding.unit) unit_ = find_cells(binding.unit->name, request.table_file);
}

JsonColumns::Cells JsonColumns::find_cells(const std::string& name, const std::string& file) const {
  const JsonVariable* other = nullptr;
  for (const ElementName& reading : readings_of(name)) {
    const auto found = data_.find(reading.list);
    if (found == data_.end()) continue;
    other = &found->second;
    if (!has_element(*other, reading, records_)) continue;
    if (records_ == 0) return {};
    Cells cells{other};
    for (std::size_t i = 0; i < reading.indices.size(); ++i) {
      cells.first = cells.first * other->dimensions[i + 1] + reading.indices[i] - 1;
      cells.stride *= other->dimensions[i + 1];
    }
    return cells;
  }
  if (other == nullptr) {
    throw InputError(kMissingVariable, fmt::format("column '{}' is not in the data.", name),
                     "Add it to the file.", {file, 0, 0});
  }
  throw InputError(kBadShape,
                   fmt::format("column '{}' is read from {}; it must have one entry for each of "
                               "the {} records.",
                               name, shape_description(other->dimensions), records_),
                   "Make the two agree.", other->place);
}

void JsonColumns::fill(const Column& column, TypedColumn& out) const {
  out.unlisted_texts.clear();
  for (std::size_t i = 0; i < block_.rows; ++i) {
    const std::string_view text = column.cells.text(first_record_ + i);
    out.set(i, column.parser.parse(text));
    if (unlisted_texts_ == UnlistedTexts::kept && out.states[i] == CellState::unlisted_level) {
      out.unlisted_texts.emplace(i, text);
    }
  }
}

const TypedBlock* JsonColumns::next_block() {
  first_record_ += block_.rows;
  block_.rows = std::min(block_.capacity, records_ - first_record_);
  if (block_.rows == 0) return nullptr;
  for (std::size_t i = 0; i < columns_.size(); ++i) fill(columns_[i], block_.columns[i]);
  for (std::size_t i = 0; unit_ && i < block_.rows; ++i) {
    block_.units[i] = ids_.number_of(unit_->text(first_record_ + i));
  }
  return &block_;
}

std::vector<std::string> json_columns(const JsonData& data, const BindingRequest& request) {
  const std::optional<std::size_t> records = stated_count(data, request);
  if (!records) {
    throw InputError(
        kMissingVariable,
        fmt::format("'{}', the record count, is not in the data.", request.record_count),
        "Give its name (--records NAME) or the program (--model).", {request.table_file, 0, 0});
  }
  std::vector<std::string> columns;
  for (const auto& [name, variable] : data) {
    if (variable.dimensions.empty() || variable.dimensions[0] != *records) continue;
    const auto extents = std::span(variable.dimensions).subspan(1);
    const std::vector<std::string> names =
        extents.empty() ? std::vector<std::string>{name} : element_names(name, extents);
    columns.insert(columns.end(), names.begin(), names.end());
  }
  return columns;
}

PublicData public_data_of(const JsonData& data) {
  PublicData values;
  for (const auto& [name, variable] : data) values.emplace(name, public_value({}, variable));
  return values;
}

}  // namespace dpvi
