#pragma once

#include <filesystem>

namespace dpvi {

// The folder tests/ of the source tree. Compilers may shorten __FILE__ to a relative path; then the
// tree is searched for around and above the working directory.
inline std::filesystem::path tests_folder() {
  auto beside = std::filesystem::path(__FILE__).parent_path().parent_path();
  if (beside.is_absolute() && std::filesystem::is_directory(beside)) return beside;
  auto folder = std::filesystem::current_path();
  while (!std::filesystem::is_regular_file(folder / "tests/support/source_folder.hpp") &&
         folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  return folder / "tests";
}

}  // namespace dpvi
