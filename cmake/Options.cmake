# Compiler settings of all project targets.
add_library(dpvi_options INTERFACE)
target_compile_options(dpvi_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wno-psabi
  # Clang, which only builds the fuzzing programs, warns of other things.
  $<$<CXX_COMPILER_ID:GNU>:-Werror>
  # GCC 12 reports a spurious overflow in fmt's format-string parser.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  # A record's integers must not depend on which operations the compiler fuses.
  -ffp-contract=off
  -fno-math-errno)
set(CMAKE_CXX_FLAGS_RELEASE "-O3")

# Hardening, checked by tests/house/hardening_test.py: stack canaries, checked C library calls, jump
# targets marked for the processor, addresses chosen at start, relocations read-only before main().
include(CheckPIESupported)
check_pie_supported()
target_compile_options(dpvi_options INTERFACE
  -fstack-protector-strong
  $<$<CONFIG:Release>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=3>)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(dpvi_options INTERFACE -fcf-protection=full)
endif()
target_link_options(dpvi_options INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)

# Two builds of one commit in different folders are identical (tests/house/same_build_test.py): no
# path of the machine is in the objects. The last matching option wins.
target_compile_options(dpvi_options INTERFACE
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
