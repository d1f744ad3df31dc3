#!/usr/bin/env bash
# No two headers define a type of the same name in the same namespace. Otherwise the linker would silently use one
# type's functions for the other.
# usage: one_name.sh ROOT
set -euo pipefail
cd "$1"

names=$(find analysis backend base cli editors frontend ir stdlib -name '*.h' | sort | xargs awk '
  FNR == 1 { space = "" }
  /^namespace [a-z_:]+ \{/ { space = $2 }
  /^(struct|class|enum class|enum) [A-Za-z_]+.*\{/ {
    name = ($1 == "enum" && $2 == "class") ? $3 : $2
    if (name ~ /::/) next   # defined inside another type
    sub(/[^A-Za-z_0-9].*/, "", name)
    print space "::" name "\t" FILENAME
  }')
twice=$(cut -f1 <<<"$names" | sort | uniq -d)
[[ -z $twice ]] && exit 0
while read -r name; do
  echo "$name is defined in $(awk -F'\t' -v name="$name" '$1 == name { print $2 }' <<<"$names" | paste -sd ' ')"
done <<<"$twice"
exit 1
