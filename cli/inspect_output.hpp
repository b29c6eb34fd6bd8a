#pragma once

#include <string>

#include <dpvi/data/table_inspection.hpp>

namespace dpvi::cli {

struct InspectedTable {
  Binding binding;
  TableInspection found;
};

// Both reports begin with a notice that they are not for release.
std::string inspection_text(const std::string& file, const InspectedTable& table);
std::string inspection_json(const std::string& file, const InspectedTable& table);

}  // namespace dpvi::cli
