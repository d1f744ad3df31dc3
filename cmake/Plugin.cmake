# wave_plugin_abi(<variable> <header>...)
#
# Sets <variable> to a digest of the build and of the headers that the program shares with one of its plugins, so that a
# plugin of another build is refused (base/plugin.h). The paths of headers start at the root of the repository.
function(wave_plugin_abi variable)
  set(digests "${PROJECT_VERSION} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${WAVE_SANITIZE}")
  foreach(header IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${header})
    file(SHA256 ${PROJECT_SOURCE_DIR}/${header} digest)
    string(APPEND digests " ${digest}")
  endforeach()
  string(SHA256 digest "${digests}")
  set(${variable} ${digest} PARENT_SCOPE)
endfunction()
