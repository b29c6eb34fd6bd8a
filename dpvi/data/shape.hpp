#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include <dpvi/data/data_variable.hpp>
#include <dpvi/data/public_data.hpp>

namespace dpvi {

// Refuses (DP331) values whose extents are not those that the program declares, preceded by
// `records` for record data. Sizes not declared yet fit anything.
void check_shape(const DataVariable& variable, std::span<const std::size_t> found,
                 std::optional<std::size_t> records, const PublicData& data,
                 const SourcePlace& place);

// "a list of 3", "nested lists of 2 x 3": for messages.
std::string shape_words(std::span<const std::size_t> extents);

}  // namespace dpvi
