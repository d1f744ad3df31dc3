# Run by CPack before it packs: below /usr, Debian's Python looks for packages in another folder than below /usr/local.
file(GLOB folders ${CPACK_TEMPORARY_DIRECTORY}/*/usr/lib/python3.*)
foreach(folder IN LISTS folders)
  get_filename_component(parent ${folder} DIRECTORY)
  file(RENAME ${folder} ${parent}/python3)
endforeach()
