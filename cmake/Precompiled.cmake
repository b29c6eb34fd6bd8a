# Headers that most files read, parsed once. A build without them (the tsan preset) shows that every
# file still names what it uses.
option(DPVI_PRECOMPILE "Parse the common headers once" ON)

set(DPVI_STANDARD_HEADERS
  <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <numeric> <optional>
  <set> <span> <string> <string_view> <utility> <variant> <vector>)

# dpvi_precompile(target [more headers]): kernels for another instruction set stay out.
function(dpvi_precompile target)
  if(NOT DPVI_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${DPVI_STANDARD_HEADERS} <fmt/format.h> ${ARGN})
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "_avx2\\.cpp$")
  set_source_files_properties(${sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()
