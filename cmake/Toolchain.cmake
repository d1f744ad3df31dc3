# How everything is compiled: the language, one arithmetic, warnings, sanitizers, and where the products go.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)   # the JIT is a module and takes some of the libraries in
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# The program finds its JIT at ../lib/wave from where it lies, in the build tree as when installed.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(WAVE_MODULE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/wave)

include_directories(${PROJECT_SOURCE_DIR})

# One definition of arithmetic: no contraction, no fast-math, anywhere.
add_compile_options(-ffp-contract=off -fno-fast-math -Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)   # false alarms on `"x" + string` (GCC bug 105651)
endif()

if(WAVE_SANITIZE OR WAVE_FUZZ)
  # Null pointers and wrong types AddressSanitizer meets as well; left out, these checks save a third of the build.
  set(wave_sanitizers -fsanitize=address,undefined -fno-sanitize=null,vptr,alignment -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    list(APPEND wave_sanitizers -fno-sanitize=function)   # JIT-compiled code carries no type hashes
  endif()
  add_compile_options(${wave_sanitizers} -g1)
  add_link_options(${wave_sanitizers})
  add_compile_definitions(WAVE_SANITIZED)
endif()

# Comforts, used where they are installed.
find_program(WAVE_CCACHE ccache)
if(WAVE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${WAVE_CCACHE})
endif()
find_program(WAVE_MOLD mold)
if(WAVE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
