#pragma once

#include <string_view>

namespace dpvi {

// The only way out if secure randomness is not available. Writes one constant line to standard
// error and ends the process with exit code 70. No destructor and no exit handler runs, no core is
// dumped, and nothing can catch it, so no result can leave with weak noise.
//
// `reason` is a string in the program, never anything computed from data.
[[noreturn]] void fail_closed(std::string_view reason) noexcept;

}  // namespace dpvi
