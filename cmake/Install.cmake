# `cmake --install`: the program, the library, the modules that both load, the documentation and the examples. Its
# components are those of the packages (packaging/debian.cmake).
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
# Everything that is installed, for those who build packages but no tests.
add_custom_target(wave_products)
foreach(target wave wave_shared wave_python_package)
  if(TARGET ${target})
    add_dependencies(wave_products ${target})   # with the modules that they load
  endif()
endforeach()

if(TARGET wave)
  install(TARGETS wave RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(wave_pages ${PROJECT_BINARY_DIR}/man)
  add_custom_command(OUTPUT ${wave_pages}/wave.1.gz DEPENDS wave ${PROJECT_SOURCE_DIR}/cli/man_pages.py
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cli/man_pages.py $<TARGET_FILE:wave> ${wave_pages} --compressed)
  add_custom_target(wave_man_pages ALL DEPENDS ${wave_pages}/wave.1.gz)
  add_dependencies(wave_products wave_man_pages)
  install(DIRECTORY ${wave_pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1.gz")
  set(wave_shells ${PROJECT_SOURCE_DIR}/cli/shells)
  install(FILES ${wave_shells}/wave.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME wave)
  install(FILES ${wave_shells}/_wave DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${wave_shells}/wave.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
if(TARGET wave_jit)
  # Not ${CMAKE_INSTALL_LIBDIR}, because the program looks for ../lib/wave from its own place.
  install(TARGETS wave_jit LIBRARY DESTINATION lib/wave COMPONENT library)
  if(TARGET wave)
    add_dependencies(wave wave_jit)   # who builds the program gets all of it
  endif()
endif()
if(TARGET wave_shared)
  include(${PROJECT_SOURCE_DIR}/cmake/InstallLibrary.cmake)
endif()
if(TARGET wave_otf2)
  install(TARGETS wave_otf2 LIBRARY DESTINATION lib/wave COMPONENT otf2)
  if(TARGET wave)
    add_dependencies(wave wave_otf2)
  endif()
endif()

if(TARGET wave_drawing)
  install(TARGETS wave_drawing LIBRARY DESTINATION lib/wave COMPONENT pictures)
  if(TARGET wave)
    add_dependencies(wave wave_drawing)
  endif()
endif()

if(WAVE_PICTURES)   # the scripts of pictures are in the program
  install(FILES ${PROJECT_BINARY_DIR}/web/embedded/licences.txt DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME licences-of-pictures.txt)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
# For editors, which show a module where a name leads into it. The program itself has them inside.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/stdlib/std DESTINATION share/wave
  FILES_MATCHING PATTERN "*.wave")
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
include(${PROJECT_SOURCE_DIR}/packaging/debian.cmake)
