#include <dpvi/data/internal/level_file.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

[[noreturn]] void refuse_level_line(const std::string& file, std::size_t line,
                                    const std::string& what, const std::string& hint) {
  throw InputError(kSchemaValue, what, hint, {file, static_cast<int>(line), 0});
}

}  // namespace

void check_level_file(const std::vector<std::string>& levels, const std::string& file) {
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::string& level = levels[i];
    if (level.empty()) {
      refuse_level_line(file, i + 1, "a level is empty; there is one level per line.",
                        "Remove the empty line.");
    }
    if (level.find('\0') != std::string::npos) {
      refuse_level_line(file, i + 1, "the line contains a NUL byte; this is not a file of levels.",
                        "Write one level per line, as text.");
    }
    const auto [known, added] = seen.emplace(level, i + 1);
    if (!added) {
      refuse_level_line(file, i + 1,
                        fmt::format("this line repeats the level of line {}.", known->second),
                        "Remove one.");
    }
  }
  const auto cells = [](const std::string& level, char separator) {
    return std::count(level.begin(), level.end(), separator);
  };
  for (const auto& [separator, fewest] : {std::pair{',', 2}, {';', 1}, {'\t', 1}, {'|', 1}}) {
    const auto alike = [&](const std::string& level) {
      return cells(level, separator) == cells(levels.front(), separator);
    };
    if (levels.size() < 2 || cells(levels.front(), separator) < fewest) continue;
    if (!std::all_of(levels.begin(), levels.end(), alike)) continue;
    refuse_level_line(file, 0,
                      "every line has the same number of cells: this looks like a table, not like "
                      "a file of levels.",
                      "Write one level per line; levels become public with the result.");
  }
}

}  // namespace dpvi
