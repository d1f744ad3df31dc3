#!/usr/bin/env bash
# The include rules can fail: every breach in samples/ is found at its place, and nothing else is reported.
# A breach is a line that says `// breach`, once for each breach on it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

if found=$("$here/includes.sh" "$here/samples"); then
  echo "the samples' breaches were not found"
  exit 1
fi
expected=$(cd "$here/samples" && grep -rn '// breach' . | sed -E 's|^\./||; s/^([^:]*:[0-9]+):.*/\1/' | LC_ALL=C sort)
actual=$(sed -E 's/^([^:]*:[0-9]+):.*/\1/' <<<"$found" | LC_ALL=C sort -u)
if ! diff <(echo "$expected") <(echo "$actual"); then
  echo "above: < breaches in the samples, > what was found"
  exit 1
fi
