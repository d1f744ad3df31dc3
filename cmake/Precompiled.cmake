# wave_precompile(<target> [<header>...])
#
# Compiles the standard headers that most files use once for all files of the target, and with them <header>s of the
# target's own that rarely change. Parsing them takes most of the time for a small file. Targets that name the same
# headers share them if their symbols have the same visibility and their code the same options, which must be set
# before. A set takes some seconds to make, so there are few of them. Files still include everything they use:
# `./dev lint` reads each without precompiled headers, and fails where an include is missing.
set(wave_standard_headers
  <algorithm> <array> <bit> <cmath> <cstdint> <functional> <limits> <map> <memory> <optional> <set> <span> <string>
  <string_view> <tuple> <unordered_map> <unordered_set> <utility> <variant> <vector> <fmt/format.h>)

function(wave_precompile target)
  get_target_property(visibility ${target} CXX_VISIBILITY_PRESET)
  get_target_property(options ${target} COMPILE_OPTIONS)
  string(MAKE_C_IDENTIFIER "wave_precompiled ${visibility} ${options} ${ARGN}" shared)
  get_property(owner GLOBAL PROPERTY ${shared})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    return()
  endif()
  set_property(GLOBAL PROPERTY ${shared} ${target})
  set(headers ${wave_standard_headers})
  foreach(header IN LISTS ARGN)
    if(header MATCHES "^<")
      list(APPEND headers ${header})
    else()
      list(APPEND headers ${PROJECT_SOURCE_DIR}/${header})
    endif()
  endforeach()
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()
