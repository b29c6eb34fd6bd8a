#include <dpvi/data/unit_ids.hpp>

#include <dpvi/data/number_parser.hpp>

namespace dpvi {

std::uint32_t UnitIds::number_of(std::string_view id) {
  if (without_blanks(id).empty() || missing_.contains(id)) return TypedBlock::kNoUnit;
  const auto found = numbers_.find(id);
  if (found != numbers_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(numbers_.size());
  numbers_.emplace(id, number);
  return number;
}

}  // namespace dpvi
