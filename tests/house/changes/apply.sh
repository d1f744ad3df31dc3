#!/usr/bin/env bash
# Checks that the table of changes in CONTRIBUTING.md is true: applies all patches of this folder to one copy of the
# tree, builds the program there, and uses what the patches added.
#
# The copy is an overlay over the tree and its build that only this process sees, so that only files touched by the
# patches are compiled. This needs the right to mount, as root or in a user namespace; without it, the test is skipped
# (77).
# usage: apply.sh ROOT BUILD-FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$1" && pwd) build=$(cd "$2" && pwd)

if [[ -z ${WAVE_CHANGES_LAYER:-} ]]; then
  layer=$(mktemp -d)
  trap 'rm -rf "$layer"' EXIT
  as_root=()
  (($(id -u) == 0)) || as_root=(--user --map-root-user)
  unshare "${as_root[@]}" --mount true 2>/dev/null || { echo "no right to mount: skipped"; exit 77; }
  status=0
  WAVE_CHANGES_LAYER=$layer unshare "${as_root[@]}" --mount --propagation private "$0" "$@" || status=$?
  exit "$status"
fi

cover() {
  local upper=$WAVE_CHANGES_LAYER/$2/upper work=$WAVE_CHANGES_LAYER/$2/work
  mkdir -p "$upper" "$work"
  mount -t overlay overlay -o "lowerdir=$1,upperdir=$upper,workdir=$work" "$1" 2>/dev/null ||
    { echo "no layer over $1: skipped"; exit 77; }
}
cover "$root" tree
[[ $build/ == "$root"/* ]] || cover "$build" build

cd "$root"
patches=("$here"/*.patch)
for patch in "${patches[@]}"; do
  GIT_DIR=/nonexistent git apply --whitespace=nowarn "$patch" || { echo "$patch does not apply any more"; exit 1; }
done
cmake --build "$build" --target wave >"$WAVE_CHANGES_LAYER/log" 2>&1 ||
  { grep -A 8 'error' "$WAVE_CHANGES_LAYER/log" | head -60; exit 1; }
for patch in "${patches[@]}"; do "$here/use.sh" "$build/bin/wave" "$(basename "$patch" .patch)"; done
