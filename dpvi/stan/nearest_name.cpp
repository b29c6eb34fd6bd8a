#include <dpvi/stan/nearest_name.hpp>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace dpvi {
namespace {

constexpr std::size_t kMaxLength = 64;

// Edit distance with insertions, deletions and replacements; small strings only.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replace, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string_view>& candidates) {
  if (name.size() > kMaxLength) return {};
  const std::size_t farthest = name.size() < 4 ? 1 : std::max<std::size_t>(2, name.size() / 3);
  std::size_t best = farthest + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kMaxLength) continue;
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (longer - std::min(name.size(), candidate.size()) >= best) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best && distance < longer) {
      best = distance;
      found = candidate;
    }
  }
  return std::string(found);
}

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? std::string() : "Did you mean '" + nearest + "'?";
}

}  // namespace dpvi
