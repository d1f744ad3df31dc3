#!/usr/bin/env bash
# The README shows the truth: its model's lines are those of the program, in order, and its output is what
# the example prints.
# usage: readme.sh ROOT WAVE
set -euo pipefail
cd "$1"
wave=$2
program=tests/language/section7/sweep3d.wave
example=examples/sweep3d/sweep3d.wave

block() { awk -v kind="$1" '$0 == "```" kind { inside = 1; next } /^```/ { inside = 0 } inside' README.md; }

if ! block 'wave fragment' | awk '
  NR == FNR { lines[++count] = $0; next }
  /^$/ { next }
  { while (++at <= count && lines[at] != $0) {} if (at > count) { print "not in the program (in this order): " $0; exit 1 } }
' "$program" -; then
  exit 1
fi
shown=$(block text)
[[ -n $shown ]] || { echo "README.md shows no output"; exit 1; }
if ! printed=$("$wave" run "$example") || ! diff <(echo "$shown") <(echo "$printed"); then
  echo "above: < what README.md shows, > what the program prints for $example"
  exit 1
fi
