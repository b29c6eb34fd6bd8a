#pragma once

#include <dpvi/report/run_json.hpp>

namespace dpvi {

// Version and commit of this library, as recorded in every bundle.
ProgramVersion library_version();

}  // namespace dpvi
