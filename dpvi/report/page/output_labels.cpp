#include <dpvi/report/page/output_labels.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace dpvi {
namespace {

// Empty if the index is no number, or has no name.
std::string name_of_index(std::string_view index, const std::vector<std::string>& names) {
  std::size_t place = 0;
  const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), place);
  const bool whole = error == std::errc() && end == index.data() + index.size();
  return whole && place >= 1 && place <= names.size() ? names[place - 1] : "";
}

}  // namespace

std::string index_label(std::string_view name, const IndexNamesByVariable& names) {
  const std::size_t bracket = name.find('[');
  if (bracket == std::string_view::npos || name.back() != ']') return {};
  const auto found = names.find(std::string(name.substr(0, bracket)));
  if (found == names.end()) return {};
  std::string_view rest = name.substr(bracket + 1, name.size() - bracket - 2);
  std::string label;
  bool named = false;
  for (std::size_t dimension = 0; !rest.empty(); ++dimension) {
    const std::string_view index = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), index.size() + 1));
    std::string text;
    if (dimension < found->second.size()) text = name_of_index(index, found->second[dimension]);
    named = named || !text.empty();
    label += (label.empty() ? "" : ", ") + (text.empty() ? std::string(index) : text);
  }
  return named ? label : "";
}

std::string labelled_name(const std::string& name, const IndexNamesByVariable& names) {
  const std::string label = index_label(name, names);
  return label.empty() ? name : name.substr(0, name.find('[')) + "[" + label + "]";
}

}  // namespace dpvi
