# Fetches code-server and what the VS Code inside it asks for, once. Arguments as of FetchPackages.cmake.
set(ONCE ON)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/FetchPackages.cmake)
# Its own installation, which is not run, would fetch all packages of VS Code into this folder. The server and the pages look for
# them here.
set(packages ${FOLDER}/node_modules/code-server/lib/vscode/node_modules)
if(NOT EXISTS ${packages})
  file(CREATE_LINK ../../.. ${packages} SYMBOLIC)
endif()
