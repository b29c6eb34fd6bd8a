# Compiles faster in two ways: common headers are precompiled, and small files of a folder are
# compiled together. A build without either (the tsan preset) shows that every file still includes
# what it uses.
option(DPVI_PRECOMPILE "Parse the common headers once and compile small files together" ON)

set(DPVI_STANDARD_HEADERS
  <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <numeric> <optional>
  <set> <span> <string> <string_view> <utility> <variant> <vector>)

# dpvi_precompile(target [more headers]): kernels for another instruction set are excluded.
function(dpvi_precompile target)
  if(NOT DPVI_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${DPVI_STANDARD_HEADERS} <fmt/format.h> ${ARGN})
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "_avx2\\.cpp$")
  set_source_files_properties(${sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# dpvi_batch(target size alone): compiles up to `size` files of a folder together. Files that match
# `alone` and files with their own options are compiled one by one. These are hot kernels and files
# whose private names clash with a neighbour's.
function(dpvi_batch target size alone)
  if(NOT DPVI_PRECOMPILE)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(options OR source MATCHES "${alone}")
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
    string(REPLACE "/" "_" name ${name})
    math(EXPR batch "0${count_${name}} / ${size}")
    math(EXPR count_${name} "0${count_${name}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${batch})
  endforeach()
endfunction()
