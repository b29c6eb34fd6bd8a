#include "version.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/Version.hpp>

#include <dpvi/api/version.hpp>

namespace dpvi::cli {

std::string version_text() {
  const ProgramVersion own = library_version();
  std::vector<std::string> libraries = libraries_used();
  libraries.emplace_back("CLI11 " CLI11_VERSION);
  return fmt::format("dpvi {}\ncommit {}\ninstruction sets: {}\nlibraries: {}\n", own.version,
                     own.commit, fmt::join(instruction_sets(), ", "), fmt::join(libraries, ", "));
}

}  // namespace dpvi::cli
