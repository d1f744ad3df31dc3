#!/usr/bin/env bash
# The C++ files of the project, each ended by a NUL.
# usage: sources.sh ROOT
set -euo pipefail
cd "$1"
find base ir frontend backend analysis stdlib cli tests bench \
  -path '*/samples' -prune -o \( -name '*.h' -o -name '*.cpp' \) -print0
