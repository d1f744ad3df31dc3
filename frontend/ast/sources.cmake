target_sources(wave_frontend PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/reductions.cpp
  ${CMAKE_CURRENT_LIST_DIR}/types.cpp
  ${CMAKE_CURRENT_LIST_DIR}/walk.cpp)
