#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include <dpvi/data/data_variable.hpp>
#include <dpvi/data/public_data.hpp>

namespace dpvi {

// Refuses (DP331) values whose extents differ from the program's declaration, which is preceded by
// `records` for record data. An undeclared size matches any extent.
void check_shape(const DataVariable& variable, std::span<const std::size_t> found,
                 std::optional<std::size_t> records, const PublicData& data,
                 const SourcePlace& place);

// Describes extents for messages: "a list of 3", "nested lists of 2 x 3".
std::string shape_description(std::span<const std::size_t> extents);

}  // namespace dpvi
