#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dpvi {

// Columns named after the elements of one variable: x.1, x.2 or x[1], x[2] for one index; x.1.2 or
// x[1,2] for two.
struct IndexedColumns {
  std::vector<std::size_t> extents;  // largest index found in each position
  std::vector<std::string> names;    // one per element, last index fastest, found or not
};

// Finds the header names that look like elements of `name` with `rank` indices. Returns nullopt if
// there are none.
std::optional<IndexedColumns> find_indexed_columns(const std::string& name, std::size_t rank,
                                                   std::span<const std::string> header);

// Returns element names such as x.1.1, x.1.2, or x[1,1], x[1,2] with brackets.
std::vector<std::string> element_names(const std::string& name,
                                       std::span<const std::size_t> extents, bool brackets = false);

}  // namespace dpvi
