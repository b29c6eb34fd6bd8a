#pragma once

#include <string>
#include <vector>

namespace dpvi {

// Refuses levels that were read from a file, one per line, if one is empty or repeated or if the
// file may be the private table. Levels become public with the result; messages quote nothing.
void check_level_file(const std::vector<std::string>& levels, const std::string& file);

}  // namespace dpvi
