#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dpvi {

// True if a text is a value rather than a column name: a number, a date, a time, a missing-value
// marker, an e-mail address, a hexadecimal identifier, or a text too long for a name.
bool looks_like_value(std::string_view text);

// Fault in a header line and its column (from 1): a value instead of a name, an empty name, or a
// name used by an earlier column. Only the first column may lack a name, as in tables with row
// names.
struct HeaderFault {
  enum class Kind { value, no_name, repeated };
  Kind kind;
  std::size_t column;
  std::size_t earlier = 0;  // the column with the same name
};
std::optional<HeaderFault> find_header_fault(std::span<const std::string_view> names);

}  // namespace dpvi
