# Runs PROGRAM and compares its output with the file EXPECTED. The last lines, about how much of a sweep was evaluated
# and how much was proved, are no results and may change, so they do not count.
execute_process(COMMAND ${WAVE} run ${PROGRAM} OUTPUT_VARIABLE actual ERROR_VARIABLE errors RESULT_VARIABLE code)
string(REGEX REPLACE "\n([^\n]+: certified [^\n]+\n)+$" "" actual "${actual}")
file(READ ${EXPECTED} expected)
if(NOT code EQUAL 0 OR NOT actual STREQUAL expected)
  message(FATAL_ERROR "wave run ${PROGRAM} exited with ${code} and printed\n${actual}${errors}\ninstead of\n${expected}")
endif()
