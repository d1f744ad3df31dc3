#!/usr/bin/env bash
# Checks that the table of changes in CONTRIBUTING.md is true: applies all patches of this folder to one copy of the
# tree, builds the program there, and uses what the patches added (`./dev changes`). Without a build, it only says
# whether they apply, and change as many files as CONTRIBUTING.md says.
#
# The copy is an overlay over the tree and its build that only this process sees, so that only files touched by the
# patches are compiled. This needs the right to mount, as root or in a user namespace.
# usage: apply.sh ROOT [BUILD-FOLDER]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$1" && pwd)
patches=("$here"/*.patch)

apply_patches() {
  local patch
  for patch in "${patches[@]}"; do
    GIT_DIR=/nonexistent git apply --whitespace=nowarn "$patch" || { echo "$patch does not apply any more"; exit 1; }
  done
}

count_files() {
  local patch name files
  for patch in "${patches[@]}"; do
    name=$(basename "$patch" .patch)
    files=$(grep -c '^+++ ' "$patch" || true)
    tr '\n' ' ' <"$root/CONTRIBUTING.md" | grep -qE "\`$name\`[^0-9\`]* $files[^0-9]" ||
      { echo "CONTRIBUTING.md does not say that $name.patch changes $files files"; exit 1; }
  done
}

if (($# == 1)); then
  count_files
  copy=$(mktemp -d)
  trap 'rm -rf "$copy"' EXIT
  for file in $(sed -n 's|^--- a/||p' "${patches[@]}" | sort -u); do
    mkdir -p "$copy/$(dirname "$file")"
    cp "$root/$file" "$copy/$file"
  done
  cd "$copy"
  apply_patches
  exit 0
fi
build=$(cd "$2" && pwd)

if [[ -z ${WAVE_CHANGES_LAYER:-} ]]; then
  layer=$(mktemp -d)
  trap 'rm -rf "$layer"' EXIT
  as_root=()
  (($(id -u) == 0)) || as_root=(--user --map-root-user)
  unshare "${as_root[@]}" --mount true 2>/dev/null || { echo "no right to mount"; exit 1; }
  status=0
  WAVE_CHANGES_LAYER=$layer unshare "${as_root[@]}" --mount --propagation private "$0" "$@" || status=$?
  exit "$status"
fi

cover() {
  local upper=$WAVE_CHANGES_LAYER/$2/upper work=$WAVE_CHANGES_LAYER/$2/work
  mkdir -p "$upper" "$work"
  mount -t overlay overlay -o "lowerdir=$1,upperdir=$upper,workdir=$work" "$1" 2>/dev/null ||
    { echo "no layer over $1"; exit 1; }
}
cover "$root" tree
[[ $build/ == "$root"/* ]] || cover "$build" build

cd "$root"
apply_patches
cmake --build "$build" --target wave wave_python wave_python_package >"$WAVE_CHANGES_LAYER/log" 2>&1 ||
  { grep -A 8 'error' "$WAVE_CHANGES_LAYER/log" | head -60; exit 1; }
for patch in "${patches[@]}"; do "$here/use.sh" "$build/bin/wave" "$(basename "$patch" .patch)"; done
