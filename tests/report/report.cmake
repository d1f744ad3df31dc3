# Reports on a model twice. The pages are the same, and hold what they should. One of the points fails, which gives a
# row and an exit code of 1.
foreach(page ${PAGE} ${PAGE}.again.html)
  execute_process(COMMAND ${WAVE} report stencil.wave -o ${page} WORKING_DIRECTORY ${FOLDER}
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT code EQUAL 1 OR NOT output STREQUAL "")
    message(FATAL_ERROR "wave report ended with ${code}:\n${output}${errors}")
  endif()
endforeach()
file(READ ${PAGE} first)
file(READ ${PAGE}.again.html second)
string(REPLACE "${PAGE}.again.html" "${PAGE}" second "${second}")
if(NOT first STREQUAL second)
  message(FATAL_ERROR "two reports on one model differ")
endif()
foreach(part "<h2 id=\"heading-1\">Outputs</h2>" "Study scaling" "Study borders" "Where time goes" "Inputs" "What went wrong" "How this was made"
    "no line has 48 processes" "PPoPP&#39;99, Table 1" "wave report stencil.wave -o" "lines: predicted, crosses: measured")
  string(FIND "${first}" "${part}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "the page does not say `${part}`")
  endif()
endforeach()
