#!/usr/bin/env bash
# Checks the sources against the table in docs/architecture.md: who may include whom, and who may print or exit.
# usage: includes.sh ROOT; prints `FILE:LINE: what is wrong` for each breach and exits with 1 if there is one.
set -euo pipefail
cd "$1"

folders=()
for folder in base ir frontend backend analysis editors stdlib api cli; do
  [[ -d $folder ]] && folders+=("$folder")
done
mapfile -t files < <(find "${folders[@]}" \( -name '*.h' -o -name '*.cpp' -o -name '*.def' \) | LC_ALL=C sort)
((${#files[@]})) || { echo "no sources below $1"; exit 1; }

awk '
  BEGIN {
    # The longest matching folder decides. `std` is the standard library and POSIX.
    allowed["base"]           = "base std"
    allowed["ir"]             = "ir base std fmt"
    allowed["frontend"]       = "frontend ir base stdlib std fmt boost"
    allowed["frontend/project"] = "frontend base toml std fmt"
    allowed["frontend/parse"] = "frontend ir base grammar antlr std fmt boost"
    allowed["backend"]        = "backend ir base std fmt"
    allowed["backend/jit"]    = "backend ir base std fmt llvm"
    allowed["analysis"]       = "analysis frontend ir backend base std fmt"
    allowed["analysis/model_fit"] = "analysis std boost eigen"
    allowed["analysis/machine_fit"] = "analysis frontend ir backend base std fmt boost eigen"
    allowed["analysis/optimize"] = "analysis frontend ir backend base std fmt nlopt"
    allowed["analysis/pictures"] = "analysis frontend ir backend base std fmt json"
    allowed["analysis/pictures/drawing"] = "analysis std jsc rsvg"
    allowed["analysis/uncertainty"] = "analysis frontend ir backend base std fmt eigen"
    allowed["analysis/recorded/otf2"] = "analysis std otf2"
    allowed["editors/server"] = "editors analysis frontend ir backend base stdlib std fmt json"
    allowed["stdlib"]         = "stdlib std"
    allowed["api"]            = "api cli analysis frontend backend ir base std fmt json"
    allowed["api/include"]    = "std"
    allowed["api/python"]     = "api std pybind11"
    allowed["cli"]            = "cli analysis frontend backend ir base stdlib std fmt cli11 json"
    allowed["cli/verbs/lsp.cpp"] = "cli editors base std"
    # Only the program itself prints and exits.
    may_print["cli"] = 1
    libraries["antlr4-runtime"] = libraries["antlr4"] = "antlr"
    libraries["llvm"] = libraries["llvm-c"] = "llvm"; libraries["otf2"] = "otf2"
    libraries["fmt"] = "fmt"; libraries["boost"] = "boost"; libraries["CLI"] = "cli11"; libraries["Eigen"] = "eigen"; libraries["nlopt"] = "nlopt"; libraries["nlohmann"] = "json"
    libraries["pybind11"] = "pybind11"; libraries["toml++"] = "toml"; libraries["JavaScriptCore"] = libraries["jsc"] = "jsc"; libraries["librsvg"] = libraries["cairo"] = "rsvg"
    printing = "(^|[^[:alnum:]_.>])((std::)?(printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|perror)|fmt::print)[ ]*\\("
    exiting  = "(^|[^[:alnum:]_.>])(std::)?(exit|_exit|_Exit|quick_exit|abort|terminate)[ ]*\\("
    streams  = "std::(cout|cerr|clog)|<iostream>"
  }

  FNR == 1 {
    folder = FILENAME
    while (!(folder in allowed) && sub(/\/[^\/]*$/, "", folder)) {}
    in_comment = 0
  }

  # What an include belongs to: one of our folders, a library, or std.
  function owner(path, quoted,   first) {
    first = path; sub(/[\/.].*$/, "", first)
    if (first in libraries) return libraries[first]
    if (!quoted) return "std"
    if (path !~ /\//) return path ~ /^Wave(Lexer|Parser)/ ? "grammar" : "?"
    return first
  }

  function breach(what) { print FILENAME ":" FNR ": " what; failed = 1 }

  /^[ \t]*#[ \t]*include[ \t]*["<]/ {
    path = $0; sub(/^[^"<]*/, "", path); quoted = substr(path, 1, 1) == "\""
    path = substr(path, 2); sub(/[">].*$/, "", path)
    whose = owner(path, quoted)
    if (whose == "?") breach("`" path "`: paths start at the root of the repository")
    else if (index(" " allowed[folder] " ", " " whose " ") == 0) breach(folder " may not include `" path "` (" whose ")")
    if ($0 ~ streams && !(folder in may_print)) breach("only cli may print")
    next
  }

  folder in may_print { next }
  {
    code = $0
    gsub(/"([^"\\]|\\.)*"/, "\"\"", code)
    sub(/\/\/.*$/, "", code)
    if (in_comment) { if (code !~ /\*\//) next; sub(/^.*\*\//, "", code); in_comment = 0 }
    gsub(/\/\*([^*]|\*[^\/])*\*\//, "", code)
    if (code ~ /\/\*/) { in_comment = 1; sub(/\/\*.*$/, "", code) }
    if (code ~ printing || code ~ streams) breach("only cli may print")
    if (code ~ exiting) breach("only cli may exit")
  }

  END { exit failed }
' "${files[@]}"
