#pragma once

#include <cstdlib>
#include <filesystem>

#include <tests/support/source_folder.hpp>

namespace dpvi {

// Folder of the UCI files: $DPVI_DATA, else ../shared/data beside the source tree. The files are
// not part of the project; tests that need them are reported as skipped without them.
inline std::filesystem::path uci_folder() {
  if (const char* named = std::getenv("DPVI_DATA")) return named;
  return std::filesystem::weakly_canonical(tests_folder() / "../..") / "shared/data";
}

}  // namespace dpvi
