#!/usr/bin/env bash
# Prints the C++ files of the project, each followed by a NUL.
# usage: sources.sh ROOT
set -euo pipefail
cd "$1"
find base ir frontend backend analysis editors stdlib api/python cli tests bench \
  -path '*/samples' -prune -o \( -name '*.h' -o -name '*.cpp' \) -print0
