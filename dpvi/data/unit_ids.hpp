#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include <dpvi/data/cell_parser.hpp>
#include <dpvi/data/text_hash.hpp>

namespace dpvi {

// Numbers the ids of units 0, 1, ... in order of first appearance. Ids are compared byte for byte.
class UnitIds {
 public:
  explicit UnitIds(std::span<const std::string> missing) : missing_(missing) {}

  // Returns TypedBlock::kNoUnit for an id that is blank or means missing.
  std::uint32_t number_of(std::string_view id);

 private:
  MissingTexts missing_;
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> numbers_;
};

}  // namespace dpvi
