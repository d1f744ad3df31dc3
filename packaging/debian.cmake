# Packages for Debian 12, from the components of `cmake --install`: `cpack --config BUILD/CPackConfig.cmake`, or
# `./dev package`. Who only evaluates models needs neither an engine for drawing nor OTF2,
# so these are packages of their own.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENT_PROGRAM_GROUP wave)
set(CPACK_COMPONENT_LIBRARY_GROUP wave)
set(CPACK_COMPONENT_DEVELOPMENT_GROUP development)
set(CPACK_COMPONENT_PICTURES_GROUP pictures)
set(CPACK_COMPONENT_OTF2_GROUP otf2)
set(CPACK_COMPONENT_PYTHON_GROUP python)
set(CPACK_COMPONENTS_ALL program)

set(CPACK_PACKAGE_NAME wave)
set(CPACK_PACKAGE_CONTACT "the Wave project")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")       # each package has its own synopsis
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)          # dependencies are those of the files, found by dpkg-shlibdeps
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)   # libwave, which another of the packages has
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

# wave_package(<group> <name> <synopsis> <text> [<dependency>])
macro(wave_package group name synopsis text)
  string(TOUPPER ${group} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${synopsis}\n${wave_purpose}\n.\n${text}")
  if(${ARGC} GREATER 4)
    set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${ARGV4}")
  endif()
endmacro()

set(wave_purpose "Wave predicts how long a parallel program takes, from a model of what every\nprocessor does and a description of the machine that it runs on.")
wave_package(wave wave "predict how long parallel programs take"
  "This package has the program, its library of models and machines, libwave, and\nthe code generator for large models.")
set(CPACK_DEBIAN_WAVE_PACKAGE_SUGGESTS "wave-pictures, wave-otf2, libwave-dev")
set(same "wave (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
if(TARGET wave_shared)
  list(APPEND CPACK_COMPONENTS_ALL library development)
  wave_package(development libwave-dev "predictions of run times - files for programs in C and Fortran"
    "This package has the C interface, its module for Fortran, and files for\npkg-config and CMake." "${same}")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
endif()
if(TARGET wave_drawing)
  list(APPEND CPACK_COMPONENTS_ALL pictures)
  wave_package(pictures wave-pictures "predictions of run times - plots in files"
    "This package draws plots into SVG and PNG files. Reports and plots in a\nterminal do without." "${same}")
endif()
if(TARGET wave_otf2)
  list(APPEND CPACK_COMPONENTS_ALL otf2)
  wave_package(otf2 wave-otf2 "predictions of run times - traces in OTF2"
    "This package reads traces in OTF2, as Score-P writes them." "${same}")
endif()
if(TARGET wave_python)
  find_package(Python 3.9 REQUIRED COMPONENTS Interpreter)
  math(EXPR python_after "${Python_VERSION_MINOR} + 1")   # its modules are for one version
  list(APPEND CPACK_COMPONENTS_ALL python)
  wave_package(python python3-wavemodel "predictions of run times - Python package"
    "This package has the module wavemodel: models, batches in columns, sweeps and\nexplanations."
    "${same}, python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3 (<< ${Python_VERSION_MAJOR}.${python_after})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy, python3-pandas, wave-pictures")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian_python.cmake)
endif()

# Debian wants the licences of each package in a place of its own. What is linked in comes with its licence, too; that
# is in the program and in libwave.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(wave_notices ${PROJECT_BINARY_DIR}/packaging)
add_custom_command(OUTPUT ${wave_notices}/copyright ${wave_notices}/copyright-of-wave ${wave_notices}/sbom.spdx.json
    ${wave_notices}/changelog.Debian.gz
  DEPENDS ${PROJECT_SOURCE_DIR}/packaging/contents.py ${PROJECT_SOURCE_DIR}/packaging/contents.toml ${PROJECT_SOURCE_DIR}/LICENSE
    ${PROJECT_SOURCE_DIR}/analysis/pictures/web/package-lock.json
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/packaging/contents.py ${PROJECT_SOURCE_DIR} ${PROJECT_VERSION}
    ${wave_notices} VERBATIM)
add_custom_target(wave_notices ALL DEPENDS ${wave_notices}/copyright)
add_dependencies(wave_products wave_notices)
install(FILES ${wave_notices}/copyright DESTINATION share/doc/wave COMPONENT program)
foreach(pair "program;wave" "development;libwave-dev" "pictures;wave-pictures" "otf2;wave-otf2" "python;python3-wavemodel")
  list(GET pair 0 component)
  list(GET pair 1 package)
  if(component IN_LIST CPACK_COMPONENTS_ALL)
    if(NOT package STREQUAL wave)
      install(FILES ${wave_notices}/copyright-of-wave DESTINATION share/doc/${package} RENAME copyright COMPONENT ${component})
    endif()
    install(FILES ${wave_notices}/changelog.Debian.gz DESTINATION share/doc/${package} COMPONENT ${component})
    # What lintian finds and stays, with the reasons.
    install(FILES ${PROJECT_SOURCE_DIR}/packaging/lintian/${package} DESTINATION share/lintian/overrides COMPONENT ${component})
  endif()
endforeach()

# Who links with libwave depends on the package of the program, and its loader learns of the library.
file(WRITE ${wave_notices}/shlibs "libwave ${PROJECT_VERSION_MAJOR} wave (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})\n")
file(WRITE ${wave_notices}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_WAVE_PACKAGE_CONTROL_EXTRA ${wave_notices}/shlibs ${wave_notices}/triggers)
install(FILES ${wave_notices}/sbom.spdx.json DESTINATION share/doc/wave COMPONENT program)
include(CPack)
