target_sources(wave_frontend PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/diagnostics.cpp
  ${CMAKE_CURRENT_LIST_DIR}/nearest.cpp
  ${CMAKE_CURRENT_LIST_DIR}/sources.cpp
  ${CMAKE_CURRENT_LIST_DIR}/utf8.cpp
  ${CMAKE_CURRENT_LIST_DIR}/written_files.cpp)
