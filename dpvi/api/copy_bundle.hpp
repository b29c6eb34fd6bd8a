#pragma once

#include <string>

namespace dpvi {

// Copies the files of an intact bundle to a new folder, completely or not at all.
void copy_bundle(const std::string& from, const std::string& to);

}  // namespace dpvi
