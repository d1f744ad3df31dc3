#!/usr/bin/env bash
# Every relative link of a Markdown page leads to a file, every page of docs/ can be reached from README.md, and calls that
# they name exist.
# usage: links.sh ROOT
set -euo pipefail
cd "$1"

declare -A reached=([README.md]=1)
queue=(README.md)
status=0
while ((${#queue[@]})); do
  page=${queue[0]}
  queue=("${queue[@]:1}")
  folder=$(dirname "$page")
  # Links outside fenced blocks and code spans, without #fragments.
  while IFS= read -r link; do
    target=$(realpath -m --relative-to=. "$folder/$link")
    if [[ ! -e $target ]]; then
      echo "$page: the link to \`$link\` leads nowhere"
      status=1
    elif [[ $target == *.md && -z ${reached[$target]:-} ]]; then
      reached[$target]=1
      queue+=("$target")
    fi
  done < <(awk '/^ *```/ { fenced = !fenced } !fenced { gsub(/`[^`]*`/, "code"); print }' "$page" |
    grep -oE '\]\([^)]+\)' | sed -E 's/^\]\(//; s/\)$//; s/#.*$//' | grep -vE '^([a-z]+:|$)' || true)
done

# The pages of docs/diagnostics need no links, because `wave explain` shows them.
while IFS= read -r page; do
  if [[ -z ${reached[$page]:-} ]]; then
    echo "$page: no page links to it"
    status=1
  fi
done < <(find docs examples bench -name '*.md' -not -path 'docs/diagnostics/*' 2>/dev/null)

# The calls that pages of the C interface name are in its header.
while IFS=: read -r page name; do
  grep -qw "$name" api/include/wave/wave.h || { echo "$page: wave.h has no \`$name\`"; status=1; }
done < <(grep -oE '`wave_[a-z_]+' docs/c-api.md docs/python.md docs/studies.md README.md | tr -d '`' | sort -u)
exit $status
