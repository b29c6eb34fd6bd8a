#include <string>

#include <tests/fuzz/fuzz_run.hpp>
#include <tests/fuzz/readers/reader_target.hpp>

namespace dpvi {

bool read_program(std::string_view content) { return FuzzRun(std::string(content)).built; }

}  // namespace dpvi
