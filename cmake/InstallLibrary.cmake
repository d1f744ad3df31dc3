# libwave: the shared library, its header, the module for Fortran, and what other builds find it by. What runs is the
# component `library`, with the JIT; what others build with is `development`.
include(CMakePackageConfigHelpers)
set(wave_package ${CMAKE_INSTALL_LIBDIR}/cmake/Wave)

install(TARGETS wave_shared EXPORT WaveTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/api/include/wave DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/api/wave.f90 DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wave COMPONENT development)
if(TARGET wave_jit)
  add_dependencies(wave_shared wave_jit)
endif()

install(EXPORT WaveTargets NAMESPACE Wave:: DESTINATION ${wave_package} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/api/WaveConfig.cmake.in ${PROJECT_BINARY_DIR}/WaveConfig.cmake
  INSTALL_DESTINATION ${wave_package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/WaveConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/WaveConfig.cmake ${PROJECT_BINARY_DIR}/WaveConfigVersion.cmake
  DESTINATION ${wave_package} COMPONENT development)

# Paths from the place of wave.pc, so that the tree may be moved.
file(RELATIVE_PATH wave_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/api/wave.pc.in ${PROJECT_BINARY_DIR}/wave.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/wave.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
