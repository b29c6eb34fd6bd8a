#include <dpvi/stan/syntax/suggestion.hpp>

#include <dpvi/base/nearest_name.hpp>

namespace dpvi {

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t kLongestSlip = 64;
  if (name.size() > kLongestSlip) return {};
  const std::vector<std::string> names(candidates.begin(), candidates.end());
  const auto nearest = nearest_name(name, names);
  return nearest ? "Did you mean '" + *nearest + "'?" : std::string();
}

}  // namespace dpvi
