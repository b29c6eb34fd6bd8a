#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

// By variable: names of the indices of each dimension, empty if they are only numbers.
using IndexNamesByVariable = std::map<std::string, std::vector<std::vector<std::string>>>;

// The indices of a name with brackets as people call them: of `effect[2,1]` "North, 1" if the first
// dimension has names. Empty if no index has a name.
std::string index_label(std::string_view name, const IndexNamesByVariable& names);

// The name with these indices, `effect[North, 1]`, or the name itself.
std::string labelled_name(const std::string& name, const IndexNamesByVariable& names);

}  // namespace dpvi
