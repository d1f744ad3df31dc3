# Runs PROGRAM and compares what it prints with the file EXPECTED.
execute_process(COMMAND ${WAVE} run ${PROGRAM} OUTPUT_VARIABLE actual ERROR_VARIABLE errors RESULT_VARIABLE code)
file(READ ${EXPECTED} expected)
if(NOT code EQUAL 0 OR NOT actual STREQUAL expected)
  message(FATAL_ERROR "wave run ${PROGRAM} exited with ${code} and printed\n${actual}${errors}\ninstead of\n${expected}")
endif()
