#!/usr/bin/env bash
# Checks that code and models are laid out as the two formatters do it, and lists the files that are not, or lays them
# out.
# usage: layout.sh ROOT WAVE [--apply]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$1"
models=(--check) code=(--dry-run --Werror)
[[ ${3:-} == --apply ]] && models=() code=(-i)

status=0
# The program runs once for each file, since a run has a time limit.
find stdlib examples -name '*.wave' -print0 | xargs -0 -n 1 "$2" fmt "${models[@]}" || status=1
"$here/sources.sh" . | xargs -0 clang-format-19 "${code[@]}" || status=1
exit "$status"
