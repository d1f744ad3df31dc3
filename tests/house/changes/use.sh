#!/usr/bin/env bash
# Uses what a patch of this folder adds, in the program that was built with it.
# usage: use.sh PROGRAM CHANGE
set -euo pipefail
wave=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Fails if a command does not print what it should.
expect() {
  local expected=$1 printed
  shift
  printed=$("$@" 2>&1) || { echo "\`$*\` fails: $printed"; exit 1; }
  [[ $printed == *"$expected"* ]] || { echo "\`$*\` does not print \`$expected\` but: $printed"; exit 1; }
}

cat >"$folder/model.wave" <<'WAVE'
wave 1
model M {
  param n: int = 3
  output small = 1e-20 * n
}
WAVE

case $2 in
  scalar_function)
    sed -i 's/1e-20 \* n/expm1(1e-20 * n)/' "$folder/model.wave"
    expect 3.00000e-20 "$wave" run "$folder/model.wave" --engine interpreter
    expect 3.00000e-20 "$wave" run "$folder/model.wave" --engine jit
    ;;
  verb) expect us "$wave" units ;;
  form)
    cat >"$folder/model.wave" <<'WAVE'
wave 1
import std.machines.loggp { LogGOPSim }
model M {
  grid P[i: 3]
  process work on P using LogGOPSim() { unless (i == 2) { compute(4 us) } }
  output finish[i in 1..3] = work.finish[i]
  output unless = 1
}
WAVE
    expect $'1            4\n  2            0' "$wave" run "$folder/model.wave"
    expect '' "$wave" fmt --check "$folder/model.wave"
    ;;
  study_option)
    expect $'n,small\n1,' "$wave" sweep "$folder/model.wave" --vary n=1..10 --first 2
    PYTHONPATH=$(dirname "$wave")/../python expect '[1, 2]' /usr/bin/python3 -c "import wavemodel
print(wavemodel.load('$folder/model.wave').sweep(n=range(1, 11), options={'first': '2'})['n'].tolist())"
    ;;
  output_format) expect $'small\t' "$wave" run "$folder/model.wave" --format tsv ;;
  *) echo "nobody uses what $2.patch adds"; exit 1 ;;
esac
