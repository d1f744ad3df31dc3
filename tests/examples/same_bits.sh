#!/usr/bin/env bash
# Every digit of an example's outputs is the same, whichever way it is evaluated.
# usage: same_bits.sh WAVE FILE...
set -euo pipefail
wave=$1
shift
status=0
for file in "$@"; do
  expected=$("$wave" run "$file" --format csv --engine interpreter --no-shortcuts 2>/dev/null)
  for options in "" "--engine interpreter" "--engine jit" "--engine jit --no-shortcuts" "--engine jit --threads 3" "--engine jit --no-cache --threads 1"; do
    # shellcheck disable=SC2086
    if ! diff <(echo "$expected") <("$wave" run "$file" --format csv $options 2>/dev/null); then
      echo "above: < $file in the interpreter, every point evaluated, > with: $options"
      status=1
    fi
  done
done
exit $status
