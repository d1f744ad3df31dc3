# Choice of engine, and the loader of the JIT.
# A digest of what the program and the module share: a module of another build is refused.
set(wave_interface ${PROJECT_SOURCE_DIR}/backend/engine.h ${PROJECT_SOURCE_DIR}/backend/engine_options.h
  ${PROJECT_SOURCE_DIR}/backend/batch.h ${PROJECT_SOURCE_DIR}/backend/observer.h ${PROJECT_SOURCE_DIR}/backend/jit/plugin.h
  ${PROJECT_SOURCE_DIR}/backend/jit_counts.h ${PROJECT_SOURCE_DIR}/backend/jit/lane_wishes.h)
foreach(header failure.h failures.def ids.h place.h scalar.h system.h)
  list(APPEND wave_interface ${PROJECT_SOURCE_DIR}/ir/${header})
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${wave_interface})
set(wave_digests "${PROJECT_VERSION} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${WAVE_SANITIZE}")
foreach(header IN LISTS wave_interface)
  file(SHA256 ${header} digest)
  string(APPEND wave_digests " ${digest}")
endforeach()
string(SHA256 WAVE_JIT_ABI "${wave_digests}")

add_library(wave_backend STATIC
  engine_choice.cpp
)
target_link_libraries(wave_backend PUBLIC wave_ir wave_interpreter ${CMAKE_DL_LIBS})
set_source_files_properties(engine_choice.cpp PROPERTIES COMPILE_DEFINITIONS WAVE_JIT_ABI="${WAVE_JIT_ABI}")
