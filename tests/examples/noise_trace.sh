#!/usr/bin/env bash
# The module of the example is what its script makes of the trace, which refuses what is none with its line.
# usage: noise_trace.sh FOLDER
set -euo pipefail
cd "$1"
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
python3 -B from_trace.py detours.txt | diff - traced.wave

refuses() {
  printf "$1" >"$scratch/trace.txt"
  if python3 -B from_trace.py "$scratch/trace.txt" >"$scratch/made" 2>"$scratch/said" || [[ -s $scratch/made ]] ||
    ! grep -qF "$2" "$scratch/said"; then
    echo "wanted for '$1': $2"
    cat "$scratch/said" "$scratch/made"
    exit 1
  fi
}
refuses '# nothing\n' 'trace.txt: a trace has two detours at least'
refuses '10 5\n' 'trace.txt: a trace has two detours at least'
refuses '10 5\n15 2\n' 'trace.txt: a trace has two detours at least, and work between them'
refuses '10 5\n14 2\n30 1\n' 'trace.txt:2: a detour begins after the one before has ended'
refuses '10 5\n9 2\n' 'trace.txt:2: a detour begins after'
refuses '10 5\n20 0\n' 'trace.txt:2: a detour begins after'
refuses '10 5\n20 nan\n' 'trace.txt:2: a detour begins after'
refuses '10 5\n20 inf\n' 'trace.txt:2: a detour begins after'
refuses '# a\n\n10 5\n20\n' 'trace.txt:4: a line has two numbers'
refuses '10 5 7\n' 'trace.txt:1: a line has two numbers'
refuses 'start duration\n' 'trace.txt:1: a line has two numbers'
