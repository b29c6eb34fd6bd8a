#pragma once

#include <cstdlib>
#include <filesystem>

#include <tests/support/source_folder.hpp>

namespace dpvi {

// Where the UCI files lie: $DPVI_DATA, else ../shared/data beside the source tree. They are not
// part of the project; tests that need them skip visibly without them.
inline std::filesystem::path uci_folder() {
  if (const char* named = std::getenv("DPVI_DATA")) return named;
  return std::filesystem::weakly_canonical(tests_folder() / "../..") / "shared/data";
}

}  // namespace dpvi
