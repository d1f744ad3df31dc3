#!/usr/bin/env bash
# docs/one-message.md shows the real output of its model, and real lines of its system, in order.
# usage: one_message.sh ROOT WAVE
set -euo pipefail
page=$1/docs/one-message.md
wave=$2
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

# Prints the first block of a kind.
block() { awk -v kind="$1" '$0 == "```" kind && !seen { inside = seen = 1; next } /^```/ { inside = 0 } inside' "$page"; }

block wave >"$scratch/message.wave"
if ! diff <(block "text output") <("$wave" run "$scratch/message.wave"); then
  echo "above: < what the page shows, > what the program prints"
  exit 1
fi
[[ -n $(block "text dump") ]] || { echo "the page shows no system"; exit 1; }
"$wave" run "$scratch/message.wave" --dump system >"$scratch/system"
awk '
  NR == FNR { lines[++count] = $0; next }
  { while (++at <= count && lines[at] != $0) {} if (at > count) { print "not in the system (in this order): " $0; exit 1 } }
' "$scratch/system" <(block "text dump")
