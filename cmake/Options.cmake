# Compiler settings of everything that is ours.
add_library(dpvi_options INTERFACE)
target_compile_options(dpvi_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wno-psabi -Werror
  # GCC 12 sees an overflow that is not there in fmt's format-string parser.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  # A record's integers must not depend on which instructions the compiler happened to fuse.
  -ffp-contract=off
  -fno-math-errno)
set(CMAKE_CXX_FLAGS_RELEASE "-O3")
