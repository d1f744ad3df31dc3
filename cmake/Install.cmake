# `cmake --install`: the program, the modules it loads for large models and for MPI, the documentation and the examples.
include(GNUInstallDirs)

if(TARGET wave)
  install(TARGETS wave RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET wave_jit)
  # Not ${CMAKE_INSTALL_LIBDIR}, because the program looks for ../lib/wave from its own place.
  install(TARGETS wave_jit LIBRARY DESTINATION lib/wave)
  if(TARGET wave)
    add_dependencies(wave wave_jit)   # who builds the program gets all of it
  endif()
endif()
if(TARGET wave_mpi)
  install(TARGETS wave_mpi LIBRARY DESTINATION lib/wave)
  if(TARGET wave)
    add_dependencies(wave wave_mpi)
  endif()
endif()

if(TARGET wave_drawing)
  install(TARGETS wave_drawing LIBRARY DESTINATION lib/wave)
  install(FILES ${PROJECT_BINARY_DIR}/web/embedded/licences.txt DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME licences-of-pictures.txt)
  if(TARGET wave)
    add_dependencies(wave wave_drawing)
  endif()
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
# For editors, which show a module where a name leads into it. The program itself has them inside.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/stdlib/std DESTINATION share/wave
  FILE_PERMISSIONS OWNER_READ GROUP_READ WORLD_READ FILES_MATCHING PATTERN "*.wave")
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
