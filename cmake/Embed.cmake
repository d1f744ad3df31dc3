# wave_embed(<target> <header> <accessor> KEYS <key>... FILES <file>...)
#
# Puts texts into the program: adds a generated source file to <target> that defines
#   const std::vector<std::pair<std::string, std::string>>& <accessor>();
# (a qualified name, declared in <header>). It returns pairs of a key and the contents of a file, in order. Without
# KEYS, the key of a file is its name without the folder and the last extension. The source is made again whenever a
# file changes.
set(WAVE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/embed_texts.cmake)

function(wave_embed target header accessor)
  cmake_parse_arguments(EMBED "" "" "KEYS;FILES" ${ARGN})
  set(paths)
  set(keys ${EMBED_KEYS})
  foreach(file IN LISTS EMBED_FILES)
    get_filename_component(path ${file} ABSOLUTE)
    list(APPEND paths ${path})
    if(NOT EMBED_KEYS)
      get_filename_component(key ${file} NAME_WLE)
      list(APPEND keys ${key})
    endif()
  endforeach()
  string(MAKE_C_IDENTIFIER ${accessor} stem)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_${stem}.cpp)
  set(list_file ${CMAKE_CURRENT_BINARY_DIR}/embedded_${stem}.list.cmake)
  file(CONFIGURE OUTPUT ${list_file} @ONLY
       CONTENT "set(paths \"@paths@\")\nset(keys \"@keys@\")\nset(header \"@header@\")\nset(accessor \"@accessor@\")\n")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DLIST=${list_file} -DOUTPUT=${output} -P ${WAVE_EMBED_SCRIPT}
    DEPENDS ${paths} ${list_file} ${WAVE_EMBED_SCRIPT}
    COMMENT "Embedding ${accessor}" VERBATIM)
  target_sources(${target} PRIVATE ${output})
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)   # all name their texts alike
endfunction()
