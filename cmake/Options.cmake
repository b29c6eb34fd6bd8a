# Compiler settings of all project targets.
add_library(dpvi_options INTERFACE)
target_compile_options(dpvi_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wno-psabi -Werror
  # GCC 12 reports a spurious overflow in fmt's format-string parser.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  # A record's integers must not depend on which operations the compiler fuses.
  -ffp-contract=off
  -fno-math-errno)
set(CMAKE_CXX_FLAGS_RELEASE "-O3")
