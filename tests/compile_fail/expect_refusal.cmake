# Run by ctest: compiles OFFENCE with and without the offending lines.
file(STRINGS ${OFFENCE} first_line LIMIT_COUNT 1)
if(NOT first_line MATCHES "^// refused: (.+)$")
  message(FATAL_ERROR "${OFFENCE} must start with '// refused: <pattern of the compiler's reason>'")
endif()
set(reason "${CMAKE_MATCH_1}")

# The patterns match English compiler messages.
set(compile ${CMAKE_COMMAND} -E env LC_ALL=C ${COMPILER} -std=c++20 -fsyntax-only -I${INCLUDE})

execute_process(COMMAND ${compile} -DCONTROL ${OFFENCE}
  RESULT_VARIABLE status ERROR_VARIABLE errors)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "does not compile even without the offence:\n${errors}")
endif()

execute_process(COMMAND ${compile} ${OFFENCE} RESULT_VARIABLE status ERROR_VARIABLE errors)
if(status EQUAL 0)
  message(FATAL_ERROR "compiles: the boundary is open")
endif()
if(NOT errors MATCHES "${reason}")
  message(FATAL_ERROR "is refused, but not because of '${reason}':\n${errors}")
endif()
