#pragma once

#include <string>

#include <dpvi/api/inspected_table.hpp>

namespace dpvi::cli {

// Both reports begin with a notice that they are not for release.
std::string inspection_text(const std::string& file, const InspectedTable& table);
std::string inspection_json(const std::string& file, const InspectedTable& table);

}  // namespace dpvi::cli
