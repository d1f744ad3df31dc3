#!/usr/bin/env bash
# The words of the glossary are in alphabetical order within their table, and what it names in the code exists.
# usage: glossary.sh ROOT
set -euo pipefail
cd "$1"
page=docs/glossary.md
status=0

awk -F' [|] ' '
  /^[|] word / { last = ""; next }
  /^[|] / { sub(/^[|] /, "", $1); word = tolower($1); if (word < last) { print "docs/glossary.md: `" word "` stands behind `" last "`"; wrong = 1 } last = word }
  END { exit wrong }
' "$page" || status=1

# Checks folders, files and types of the code. A type is a word with a capital that is not a corner of a grid.
while IFS= read -r name; do
  case $name in
    */*) [[ -e $name ]] || { echo "$page: there is no \`$name\`"; status=1; } ;;
    *::*) name=${name##*::} ;&
    [A-Z]*[a-z]*) grep -rqE "^ *(struct|class|enum class|using) $name\b" --include=*.h analysis backend base cli editors frontend ir ||
      { echo "$page: no type is called \`$name\`"; status=1; } ;;
  esac
done < <(grep -oE '`[^`]+`' "$page" | tr -d '`' | grep -E '^([a-z_]+/[a-z_./]*|([a-z]+::)?[A-Z][A-Za-z]+)$' | sort -u)
exit $status
