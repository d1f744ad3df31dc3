# Runs at build time: fetches the packages of a lock file into FOLDER with npm, and makes the files to embed from them.
#   NPM: the program; SOURCE: where package.json and its lock are; FOLDER: where they go; STAMP: touched at the end
#   ONCE: does nothing if this was done for the present lock file
#   EMBED: also writes FOLDER/embedded/, the scripts of pictures and the licences of what they contain
if(ONCE AND EXISTS ${STAMP} AND NOT ${SOURCE}/package-lock.json IS_NEWER_THAN ${STAMP})
  return()
endif()
file(MAKE_DIRECTORY ${FOLDER})
foreach(name package.json package-lock.json)
  file(COPY_FILE ${SOURCE}/${name} ${FOLDER}/${name})
endforeach()
set(ENV{npm_config_update_notifier} false)
# No script of a package is run, and packages that were fetched before come from npm's own cache.
execute_process(
  COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error
  WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(failed)
  set(way_on "")
  if(EMBED)
    set(way_on "\nWithout pictures: cmake -DWAVE_PICTURES=OFF")
  endif()
  message(FATAL_ERROR "npm could not fetch what ${SOURCE}/package-lock.json lists:\n${output}\n"
    "The first build needs npm's registry, or npm's cache of an earlier one; later builds need neither.${way_on}")
endif()

if(EMBED)
  set(modules ${FOLDER}/node_modules)
  file(MAKE_DIRECTORY ${FOLDER}/embedded)
  # These are as published: scripts that define `vega` and `vegaLite`.
  foreach(script vega/build/vega.min.js vega-lite/build/vega-lite.min.js)
    get_filename_component(name ${script} NAME)
    file(COPY_FILE ${modules}/${script} ${FOLDER}/embedded/${name})
  endforeach()
  # The interpreter of expressions is published only as a module, so it becomes a function of its imports.
  file(READ ${modules}/vega-interpreter/build/vega-interpreter.js text)
  set(imports "import { ascending, isString, DisallowedObjectProperties } from 'vega-util';")
  set(exports "export { expression as expressionInterpreter };")
  foreach(line IN ITEMS imports exports)
    string(FIND "${text}" "${${line}}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "vega-interpreter has another `${line}` than ${CMAKE_CURRENT_LIST_FILE} knows")
    endif()
  endforeach()
  string(REPLACE "${imports}" "globalThis.vegaInterpreter = (({ ascending, isString, DisallowedObjectProperties }) => {" text "${text}")
  string(REPLACE "${exports}" "return expression; })(vega);" text "${text}")
  file(WRITE ${FOLDER}/embedded/vega-interpreter.js "${text}")

  # Vega's script contains most of these packages; their licences ask to be kept with it.
  set(notices "")
  file(GLOB folders LIST_DIRECTORIES true ${modules}/vega* ${modules}/d3-* ${modules}/topojson-client ${modules}/delaunator
    ${modules}/internmap ${modules}/robust-predicates)
  list(SORT folders)
  foreach(folder IN LISTS folders)
    file(READ ${folder}/package.json package)
    string(JSON name GET "${package}" name)
    string(JSON version GET "${package}" version)
    string(JSON licence GET "${package}" license)
    file(GLOB texts ${folder}/LICENSE*)
    set(text "")
    if(texts)
      list(GET texts 0 path)
      file(READ ${path} text)
    endif()
    string(APPEND notices "${name} ${version} (${licence})\n\n${text}\n")
  endforeach()
  file(WRITE ${FOLDER}/embedded/licences.txt "${notices}")
endif()
file(TOUCH ${STAMP})
