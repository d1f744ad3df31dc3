#!/usr/bin/env bash
# A word of docs/glossary.md has one meaning: the glossary lists it once, and at most one type has its name. A
# declaration, its type, its value during lowering and what the system makes of it are the same thing at four stages, so
# the files that hold these count as one.
# usage: one_word.sh ROOT
set -euo pipefail
cd "$1"

words=$(sed -nE 's/^\| ([a-z][^|]*[a-z]) \| .*/\1/p' docs/glossary.md | grep -vxE 'word' )
twice=$(sort <<<"$words" | uniq -d)
[[ -z $twice ]] || { echo "docs/glossary.md says twice: $twice"; exit 1; }

find analysis backend base cli editors frontend ir -name '*.h' -print0 | sort -z | xargs -0 grep -nE \
  '^(template <[^>]*> *)?(struct|class|enum class|enum|union) [A-Z][A-Za-z]*( final)?( : [^;]*)? *\{' |
  awk -v words="$words" '
    BEGIN {
      count = split(words, list, "\n")
      for (i = 1; i <= count; ++i) {
        parts = split(list[i], part, " "); name = ""
        for (j = 1; j <= parts; ++j) name = name toupper(substr(part[j], 1, 1)) substr(part[j], 2)
        is_word[name] = 1
      }
    }
    {
      file = $0; sub(/:.*/, "", file)
      name = $0; sub(/^[^:]*:[0-9]*: *(template <[^>]*> *)?(struct|enum class|class|enum|union) /, "", name); sub(/[^A-Za-z].*/, "", name)
      if (!(name in is_word)) next
      if (file ~ /^(frontend\/(ast|lower\/value)|ir\/)/) file = "the stages of the language"
      if (index(places[name] " ", " " file " ") == 0) { places[name] = places[name] " " file; ++times[name] }
    }
    END {
      for (name in times) if (times[name] > 1) { print name " is defined in" places[name]; failed = 1 }
      exit failed
    }' | sort
