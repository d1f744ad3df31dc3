#!/usr/bin/env bash
# The documentation shows what commands really print. The lines of a block that opens with ```text wave … are among the
# lines that this command prints in the repository's root, in the same order.
# usage: shown.sh ROOT WAVE
set -euo pipefail
cd "$1"
wave=$2
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

awk -v folder="$scratch" '
  /^```text wave / { ++count; shown = folder "/" count; sub(/^```text wave /, ""); print > (shown ".command"); print FILENAME > (shown ".page"); inside = 1; next }
  /^```/ { inside = 0 }
  inside { print > (shown ".lines") }
' docs/*.md README.md
ls "$scratch"/*.command >/dev/null || { echo "no page shows anything"; exit 1; }

status=0
for command in "$scratch"/*.command; do
  shown=${command%.command}
  read -ra words <"$command"
  if ! "$wave" "${words[@]}" >"$shown.printed"; then status=1; fi
  if ! awk '
    NR == FNR { lines[++count] = $0; next }
    /^$/ { next }
    { while (++at <= count && lines[at] != $0) {} if (at > count) { print "not printed (in this order): " $0; exit 1 } }
  ' "$shown.printed" "$shown.lines"; then
    echo "  by \`wave ${words[*]}\`, in $(cat "$shown.page")"
    status=1
  fi
done
exit $status
