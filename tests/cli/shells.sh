#!/usr/bin/env bash
# What the scripts of shells propose on a command line that is being typed, in the shell itself. It runs from the root of
# the repository.
# usage: shells.sh WAVE bash|fish|zsh
set -euo pipefail
wave=$1 shell=$2
PATH=$(dirname "$wave"):$PATH

propose_in_bash() {
  # As readline does, it takes the line apart at blanks and at `=`.
  bash --norc -c '
    source cli/shells/wave.bash
    COMP_LINE=$1 COMP_POINT=${#1}
    IFS=" " read -ra COMP_WORDS <<<"${1//=/ = }"
    [[ $1 == *" " || $1 == *= ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    compopt() { :; }
    _wave
    ((${#COMPREPLY[@]} == 0)) || printf "%s\n" "${COMPREPLY[@]}"' bash "$1"
}
propose_in_fish() {
  fish --no-config -c 'source cli/shells/wave.fish; complete -C $argv[1]' "$1" | cut -f 1
}
propose_in_zsh() {
  zsh -f tests/cli/shells.zsh "$1"
}

failed=0
# expect LINE WORD...: all of these are proposed. With `!` before a word, it is not.
expect() {
  local line=$1 proposed word
  shift
  proposed=$("propose_in_$shell" "$line") || true   # zsh says so where there is nothing to propose
  for word in "$@"; do
    if [[ $word == !* ]]; then
      if grep -qxF -- "${word#!}" <<<"$proposed"; then
        printf 'FAILED: `%s` proposes `%s`\n' "$line" "${word#!}"
        failed=1
      fi
    elif ! grep -qxF -- "$word" <<<"$proposed"; then
      printf 'FAILED: `%s` proposes no `%s` but\n%s\n' "$line" "$word" "$proposed"
      failed=1
    fi
  done
}

expect "wave ru" run !batch
expect "wave run --mod" --model !--engine
expect "wave run --engine j" jit !auto
expect "wave run examples/sweep3d/sweep3d.wave -D m" m= mk= !n=
expect "wave run std.applications.l" std.applications.lu
expect "wave cost std.machines.ibm_sp2.SP2_" std.machines.ibm_sp2.SP2_SMP !std.machines.ibm_sp2.SP2
expect "wave explain E010" E0101 !E0201
expect "wave run examples/lu/lu" examples/lu/lu.wave
expect "wave fit os" osu
expect "wave run no-such-file.wave -D n" !n=
exit "$failed"
