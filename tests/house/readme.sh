#!/usr/bin/env bash
# The README is true: its model is the program of its example, its output is what that program prints, and its lines of
# the published model are lines of the program that it links to, in order.
# usage: readme.sh ROOT WAVE
set -euo pipefail
cd "$1"
wave=$2
example=examples/sweep/sweep.wave
published=tests/language/section7/sweep3d.wave

block() { awk -v kind="$1" '$0 == "```" kind { inside = 1; next } /^```/ { inside = 0 } inside' README.md; }

if ! diff <(block wave) "$example"; then
  echo "above: < what README.md shows, > $example"
  exit 1
fi
shown=$(block text)
[[ -n $shown ]] || { echo "README.md shows no output"; exit 1; }
if ! printed=$("$wave" run "$example") || ! diff <(echo "$shown") <(echo "$printed"); then
  echo "above: < what README.md shows, > what the program prints for $example"
  exit 1
fi
block 'wave fragment' | awk '
  NR == FNR { lines[++count] = $0; next }
  /^$/ { next }
  { while (++at <= count && lines[at] != $0) {} if (at > count) { print "not in the program (in this order): " $0; exit 1 } }
' "$published" -
