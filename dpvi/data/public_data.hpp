#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dpvi/data/data_variable.hpp>

namespace dpvi {

// A value that may be published: declared by a person, or derived from declarations and the header.
// It is never computed from cells.
struct PublicValue {
  bool integers = false;                // every number was written as an integer
  std::vector<std::size_t> dimensions;  // empty for a scalar
  std::vector<double> numbers;          // last index fastest
  std::string source;                   // where it was declared, for messages
  SourcePlace place;

  static PublicValue integer(double value, std::string source);
};

using PublicData = std::map<std::string, PublicValue, std::less<>>;

// Adds a declared value. Refuses (DP333) a second, different value for the same name.
void add_public_value(PublicData& data, const std::string& name, PublicValue value);

// Returns the stated number, or nullopt while its size is undeclared.
std::optional<double> value_of(const DeclaredNumber& number, const PublicData& data);

// Refuses (DP341) data of which a required public fact is not declared.
struct UndeclaredFactError : InputError {
  UndeclaredFactError(std::string message, std::string hint, SourcePlace place);
};

// Refuses a public program variable that is missing (DP341), has another shape (DP331) or violates
// its declaration (DP333). `record_count` is exempt: nobody declares it.
void check_public_data(std::span<const DataVariable> variables, const PublicData& data,
                       const std::string& record_count);

}  // namespace dpvi
