# Writes the manual page of the program from its own help: one section for each verb.
#   cmake -DPROGRAM=... -DVERSION=... -DOUTPUT=dpvi.1 -P WriteManPage.cmake
cmake_minimum_required(VERSION 3.25)

# Sets `result` to the lines of a help text, as they are, in the language of manual pages.
function(as_lines text result)
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
  set(${result} ".nf\n${text}.fi\n" PARENT_SCOPE)
endfunction()

function(help_of result)
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

help_of(text --help)
as_lines("${text}" lines)
set(page ".TH DPVI 1 \"\" \"dpvi ${VERSION}\"\n.SH NAME\n"
  "dpvi \\- differentially private Bayesian inference\n"
  ".SH SYNOPSIS\n.B dpvi\nVERB [OPTIONS] ...\n.SH DESCRIPTION\n${lines}")
string(REGEX REPLACE ".*\nSubcommands:\n" "" list "${text}")
string(REGEX MATCHALL "(^|\n)  [a-z]+ " verbs "\n${list}")
foreach(verb IN LISTS verbs)
  string(STRIP "${verb}" verb)
  help_of(text ${verb} --help-all)
  as_lines("${text}" lines)
  string(TOUPPER ${verb} heading)
  list(APPEND page ".SH ${heading}\n${lines}")
endforeach()
list(APPEND page ".SH EXIT STATUS\n.nf\n"
  "0 success; 1 a target was missed or a claim refuted; 64 wrong usage; 65 bad data, schema or model;\n"
  "66 input missing; 70 internal error; 73 output cannot be created; 74 write failed; 75 ledger busy;\n"
  "77 budget refused; 78 would leak; 130 interrupted\n.fi\n")
list(JOIN page "" page)
file(WRITE ${OUTPUT} "${page}")
