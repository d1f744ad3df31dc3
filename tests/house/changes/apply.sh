#!/usr/bin/env bash
# Holds the table of changes in CONTRIBUTING.md to the truth: applies all patches of this folder together to one copy of
# the tree, builds the program there and uses what they added. Each patch touches the files that the table names, and
# no other.
# usage: apply.sh ROOT COPY [CMAKE-ARGUMENT]...    COPY: a folder of its own, kept, so that the next run builds little
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$1" && pwd) copy=$2
shift 2

# Only what differs is copied anew: what has not changed is not built again.
fresh=$copy/fresh tree=$copy/tree
rm -rf "$fresh" && mkdir -p "$fresh" "$tree"
(cd "$root" && find . -mindepth 1 -maxdepth 1 ! -name build ! -name '.*' -exec cp -a {} "$fresh" \;)
export GIT_CEILING_DIRECTORIES=$copy
for patch in "$here"/*.patch; do
  (cd "$fresh" && git apply --whitespace=nowarn "$patch") || { echo "${patch##*/} does not apply any more"; exit 1; }
done
(cd "$fresh" && find . -type f) | while read -r file; do
  cmp -s "$fresh/$file" "$tree/$file" || { mkdir -p "$(dirname "$tree/$file")" && cp "$fresh/$file" "$tree/$file"; }
done
(cd "$tree" && find . -type f) | while read -r file; do
  [[ -e $fresh/$file ]] || rm "$tree/$file"
done
rm -rf "$fresh"

cmake -S "$tree" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0 -DWAVE_TESTS=OFF -DWAVE_MPI=OFF \
  -DWAVE_PICTURES=OFF "$@" >"$copy/configure.log" 2>&1 || { cat "$copy/configure.log"; exit 1; }
cmake --build "$copy/build" --target wave >"$copy/build.log" 2>&1 || { grep -A 8 error "$copy/build.log" | head -60; exit 1; }

"$here/use.sh" "$copy/build/bin/wave"
