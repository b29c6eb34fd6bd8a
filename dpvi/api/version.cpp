#include <dpvi/api/version.hpp>

#include <dpvi_commit.hpp>

namespace dpvi {

ProgramVersion library_version() { return {DPVI_VERSION, DPVI_COMMIT}; }

}  // namespace dpvi
