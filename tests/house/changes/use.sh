#!/usr/bin/env bash
# Uses what the patches of this folder add, with the program that was built with them.
# usage: use.sh PROGRAM
set -euo pipefail
wave=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Prints what a command should have printed and did not.
expect() {
  local expected=$1 printed
  shift
  printed=$("$@" 2>&1) || { echo "\`$*\` fails: $printed"; exit 1; }
  [[ $printed == *"$expected"* ]] || { echo "\`$*\` does not print \`$expected\` but: $printed"; exit 1; }
}

cat >"$folder/model.wave" <<'WAVE'
model M {
  param n: int = 3
  output small = expm1(1e-20 * n)
}
WAVE
expect 3e-20 "$wave" run "$folder/model.wave"
expect 3e-20 "$wave" run "$folder/model.wave" --engine jit
