# How everything is compiled: the language, the arithmetic, warnings, sanitizers, and where the products go.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)   # the JIT is a module that includes some of the libraries
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# The program looks for its JIT in ../lib/wave from its own place, both in the build tree and when installed.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(WAVE_MODULE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/wave)

include_directories(${PROJECT_SOURCE_DIR})

# There is one definition of arithmetic, so no file may use contraction or fast-math.
add_compile_options(-ffp-contract=off -fno-fast-math -Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)   # false alarms on `"x" + string` (GCC bug 105651)
endif()

if(WAVE_SANITIZE STREQUAL thread)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=thread)
  add_compile_definitions(WAVE_SANITIZED)
elseif(WAVE_SANITIZE OR WAVE_FUZZ)
  # AddressSanitizer also finds null pointers, wrong types, and what is accessed beyond an object; leaving these checks
  # out saves half of the build.
  set(wave_sanitizers -fsanitize=address,undefined,float-cast-overflow
    -fno-sanitize=null,vptr,alignment,object-size,pointer-overflow
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    list(APPEND wave_sanitizers -fno-sanitize=function)   # JIT-compiled code has no type hashes
  endif()
  add_compile_options(${wave_sanitizers} -g1)
  add_link_options(${wave_sanitizers})
  # At a fixed place a program starts in two thirds of the time, since no table of the sanitizers has to be moved.
  add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  if(WAVE_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)   # tests/fuzz/ looks for new ways through all of it
  endif()
  add_compile_definitions(WAVE_SANITIZED)
endif()

# Tests that run the same code on many inputs take fewer of them where everything is slow.
if(WAVE_FEW_ROUNDS)
  add_compile_definitions(WAVE_FEW_ROUNDS)
endif()

# What is released is hardened: a mistake in it ends the program rather than serves whoever wrote its input.
if(CMAKE_BUILD_TYPE STREQUAL Release AND WAVE_HARDEN)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|i.86")
    add_compile_options(-fcf-protection=full)
  endif()
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
endif()
if(NOT WAVE_SANITIZE AND NOT WAVE_FUZZ)
  include(CheckPIESupported)
  check_pie_supported()
endif()

# GCC then has no garbage to collect in most files, which takes a tenth of its time, and needs up to 800 MB for a file.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options("SHELL:--param ggc-min-heapsize=400000")
endif()

# A convenience, used where it is installed. There is no cache of compilations: ccache gives back precompiled headers
# that do not fit the headers any more.
find_program(WAVE_MOLD mold)
if(WAVE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# Files are joined for the compiler, which then reads headers once for several of them. More than four at a time are
# quicker from scratch only, and slower after a change to one. Where each is compiled by itself, an include that is
# missing shows.
set(WAVE_JOINED 4 CACHE STRING "How many files are compiled together")
if(WAVE_JOINED GREATER 1)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE ${WAVE_JOINED})
endif()

# wave_compile_quickly(<target>)
#
# Compiles a target with -O1 in a release, and joins twice as many of its files: half of the time. For code that spends
# its own time elsewhere, in the disk, in libraries or in the evaluation; benchmarks tell (bench/README.md). It stands
# before wave_precompile().
function(wave_compile_quickly target)
  if(NOT CMAKE_BUILD_TYPE STREQUAL Release)
    return()
  endif()
  target_compile_options(${target} PRIVATE -O1)
  if(WAVE_JOINED GREATER 1)
    math(EXPR joined "2 * ${WAVE_JOINED}")
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${joined})
  endif()
endfunction()
