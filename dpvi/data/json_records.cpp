#include <dpvi/data/json_records.hpp>

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/base/nearest_name.hpp>
#include <dpvi/data/column_names.hpp>
#include <dpvi/data/number_text.hpp>
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
                     fmt::format("public name '{}' is no public data of the program; record data "
                                 "and {} cannot be made public.",
                                 name, request.record_count),
                     near ? fmt::format("Did you mean '{}'?", *near)
                          : fmt::format("There is: {}.", fmt::join(allowed, ", ")));
  }
}

// Takes from the file what may be public, and refuses what would become so unasked.
void take_public_values(const JsonData& data, BindingRequest& request,
                        const std::vector<std::string>& public_names) {
  for (const DataVariable& variable : request.variables) {
    const auto found = data.find(variable.name);
    if (variable.per_record || variable.name == request.record_count || found == data.end()) {
      continue;
    }
    const bool declared = request.public_data.contains(variable.name) ||
                          request.schema.public_values.contains(variable.name);
    const bool is_size = variable.serves_as_size && variable.is_integer_scalar();
    if (is_size || contains(public_names, variable.name)) {
      add_public_value(request.public_data, variable.name,
                       public_value(variable.name, found->second));
    } else if (!declared) {
      throw LeakError(
          kWouldPublish,
          fmt::format("'{}' ({}) lies beside the records and is not led by {}; the result would "
                      "reveal it.",
                      variable.name, variable.type_words, request.record_count),
          fmt::format("If it is public, say so: --public-names {}, or move it to a --public file.",
                      variable.name),
          found->second.place);
    }
  }
}

// The variable that a record variable is read from: its own, or the one the schema names for it.
const JsonVariable* source_of(const DataVariable& variable, const JsonData& data,
                              const BindingRequest& request) {
  if (request.schema.bindings.contains(variable.name)) return nullptr;
  const auto found = data.find(variable.name);
  if (found != data.end()) return &found->second;
  // Names in the file are not shown: where it is no Stan data they may be ids of persons.
  std::vector<std::string> names;
  for (const auto& [name, value] : data) names.push_back(name);
  const std::optional<std::string> near = nearest_name(variable.name, names);
  throw InputError(
      kMissingVariable,
      fmt::format("'{}' ({}) is not in the data.", variable.name, variable.type_words),
      near ? "A similar name is at the place given."
           : fmt::format("The data have {} variables, none with a similar name.", names.size()),
      near ? data.find(*near)->second.place : SourcePlace{request.table_file, 0, 0});
}

// The record count stated by the file, else the length of its first record variable.
std::size_t count_records(const JsonData& data, const BindingRequest& request) {
  const auto stated = data.find(request.record_count);
  if (stated != data.end()) {
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
  for (const DataVariable& variable : request.variables) {
    if (!variable.per_record) continue;
    const auto found = data.find(variable.name);
    if (found != data.end() && !found->second.dimensions.empty()) {
      return found->second.dimensions[0];
    }
  }
  if (!request.variables.empty()) return 0;
  throw InputError(kMissingVariable,
                   fmt::format("'{}', the record count, is not in the data.", request.record_count),
                   "Name it (--records NAME), or give the program (--model).",
                   {request.table_file, 0, 0});
}

}  // namespace

JsonRows::JsonRows(JsonData data, const BindingRequest& request)
    : data_(std::move(data)), records_(count_records(data_, request)) {
  if (records_ == 0) return;
  for (const auto& [name, variable] : data_) {
    if (variable.dimensions.empty() || variable.dimensions[0] != records_) continue;
    const auto extents = std::span(variable.dimensions).subspan(1);
    const std::vector<std::string> names =
        extents.empty() ? std::vector<std::string>{name} : element_names(name, extents);
    for (std::size_t i = 0; i < names.size(); ++i) {
      header_.push_back(names[i]);
      columns_.push_back({&variable, i, names.size()});
    }
  }
  cells_.resize(columns_.size());
}

bool JsonRows::next_row() {
  if (next_ == records_) return false;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = columns_[i];
    cells_[i] = column.variable->cell(column.first + next_ * column.stride);
  }
  ++next_;
  return true;
}

JsonRecords bind_json(JsonData data, BindingRequest request,
                      const std::vector<std::string>& public_names) {
  refuse_unknown_public_names(request, public_names);
  take_public_values(data, request, public_names);
  const std::size_t records = count_records(data, request);
  PublicData known = request.schema.public_values;
  known.insert(request.public_data.begin(), request.public_data.end());
  for (const DataVariable& variable : request.variables) {
    if (!variable.per_record || !request.wants(variable.name)) continue;
    const JsonVariable* source = source_of(variable, data, request);
    if (source != nullptr) {
      check_shape(variable, source->dimensions, records, known, source->place);
    }
  }
  JsonRows rows(std::move(data), request);
  // Without records there are no lists to name columns after; the program names them then.
  request.header = records > 0 ? std::optional(rows.header()) : std::nullopt;
  return {bind_columns(request), std::move(rows)};
}

PublicData public_data_of(const JsonData& data) {
  PublicData values;
  for (const auto& [name, variable] : data) values.emplace(name, public_value({}, variable));
  return values;
}

}  // namespace dpvi
