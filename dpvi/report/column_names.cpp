#include <dpvi/report/column_names.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace dpvi {
namespace {

// Moves to the next index, the first one fastest; after the last it starts again.
void advance(std::vector<std::int64_t>& index, const std::vector<std::int64_t>& dimensions) {
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (++index[i] <= dimensions[i]) return;
    index[i] = 1;
  }
}

}  // namespace

std::vector<std::string> column_names(std::span<const OutputVariable> variables) {
  std::vector<std::string> names;
  for (const OutputVariable& variable : variables) {
    std::vector<std::int64_t> index(variable.dimensions.size(), 1);
    for (std::int64_t i = 0; i < variable.size(); ++i) {
      std::string name = variable.name;
      for (const std::int64_t place : index) name.append(".").append(std::to_string(place));
      names.push_back(std::move(name));
      advance(index, variable.dimensions);
    }
  }
  return names;
}

std::string bracketed_name(std::string_view column) {
  const std::size_t dot = column.find('.');
  if (dot == std::string_view::npos) return std::string(column);
  std::string indices(column.substr(dot + 1));
  std::replace(indices.begin(), indices.end(), '.', ',');
  return std::string(column.substr(0, dot)) + "[" + indices + "]";
}

}  // namespace dpvi
