#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/data/data_variable.hpp>
#include <dpvi/data/record_table.hpp>

namespace dpvi {

inline DataVariable record_variable(const std::string& name, BaseType base,
                                    const std::string& type_description) {
  DataVariable variable;
  variable.name = name;
  variable.base = base;
  variable.per_record = true;
  variable.type_description = type_description;
  return variable;
}

inline DataVariable record_real(const std::string& name) {
  return record_variable(name, BaseType::real, "vector[N]");
}

inline DataVariable record_int(const std::string& name) {
  return record_variable(name, BaseType::integer, "array[N] int");
}

// matrix[N, K] name
inline DataVariable record_matrix(const std::string& name, const std::string& columns) {
  DataVariable variable = record_variable(name, BaseType::real, "matrix[N, " + columns + "]");
  variable.dimensions = {DeclaredNumber::size_plus(columns)};
  return variable;
}

// array[N] int<lower=1, upper=J> name
inline DataVariable record_index(const std::string& name, const std::string& upper) {
  DataVariable variable =
      record_variable(name, BaseType::integer, "array[N] int<lower=1, upper=" + upper + ">");
  variable.lower = DeclaredNumber::number(1);
  variable.upper = DeclaredNumber::size_plus(upper);
  return variable;
}

// array[N] int<lower=0, upper=1> name
inline DataVariable record_binary(const std::string& name) {
  DataVariable variable =
      record_variable(name, BaseType::integer, "array[N] int<lower=0, upper=1>");
  variable.lower = DeclaredNumber::number(0);
  variable.upper = DeclaredNumber::number(1);
  return variable;
}

// int<lower=0> name, used as a size
inline DataVariable public_size(const std::string& name) {
  DataVariable variable;
  variable.name = name;
  variable.base = BaseType::integer;
  variable.lower = DeclaredNumber::number(0);
  variable.used_as_size = true;
  variable.type_description = "int<lower=0>";
  return variable;
}

inline DataVariable public_real(const std::string& name) {
  DataVariable variable;
  variable.name = name;
  variable.type_description = "real";
  return variable;
}

// One record in the form that tests compare. An empty optional is a record that contributes zero.
struct PlainRecord {
  std::vector<double> reals;
  std::vector<std::int32_t> integers;
  bool operator==(const PlainRecord&) const = default;
};

inline std::vector<std::optional<PlainRecord>> records_of(const RecordTable& table) {
  std::vector<double> reals(table.real_slots() * RecordTable::kLanes);
  std::vector<std::int32_t> integers(table.integer_slots() * RecordTable::kLanes);
  std::vector<std::optional<PlainRecord>> records;
  for (std::uint64_t index = 0; index < table.record_count(); ++index) {
    const std::uint32_t usable = table.load_lanes({&index, 1}, reals, integers);
    records.emplace_back();
    if ((usable & 1) == 0) continue;
    PlainRecord& record = records.back().emplace();
    for (std::size_t i = 0; i < table.real_slots(); ++i) {
      record.reals.push_back(reals[i * RecordTable::kLanes]);
    }
    for (std::size_t i = 0; i < table.integer_slots(); ++i) {
      record.integers.push_back(integers[i * RecordTable::kLanes]);
    }
  }
  return records;
}

}  // namespace dpvi
