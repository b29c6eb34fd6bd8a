#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dpvi {

// Whether a text is a value rather than the name of a column: a number, a date, a time, a mark of
// missing values, an address, or a text too long for a name.
bool looks_like_value(std::string_view text);

// What is wrong with a header line, and in which column (from 1): a value instead of a name, no
// name, or a name that an earlier column has. Only the first column may go without a name, as
// tables with row names have it.
struct HeaderFault {
  enum class Kind { value, no_name, repeated };
  Kind kind;
  std::size_t column;
  std::size_t earlier = 0;  // the column with the same name
};
std::optional<HeaderFault> find_header_fault(std::span<const std::string_view> names);

}  // namespace dpvi
