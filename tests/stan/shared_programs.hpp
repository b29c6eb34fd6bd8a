#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <tests/support/source_folder.hpp>

namespace dpvi {

// Folder of the reference programs and their values: $DPVI_SHARED, else ../shared beside the source
// tree. The files are not part of the project; tests that need them are reported as skipped without
// them.
inline std::filesystem::path shared_folder() {
  if (const char* named = std::getenv("DPVI_SHARED")) return named;
  return std::filesystem::weakly_canonical(tests_folder() / "../..") / "shared";
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The programs in shared/stan_vectors; empty if the folder is missing.
inline std::vector<std::filesystem::path> shared_programs() {
  std::vector<std::filesystem::path> found;
  const std::filesystem::path folder = shared_folder() / "stan_vectors";
  if (!std::filesystem::is_directory(folder)) return found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".stan") found.push_back(entry.path());
  }
  return found;
}

}  // namespace dpvi
