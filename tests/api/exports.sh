#!/usr/bin/env bash
# The library exports what the header declares, under the header's version, and nothing else.
# usage: exports.sh LIBRARY HEADER
set -euo pipefail
exported=$(nm -D --defined-only --with-symbol-versions "$1" | awk '$2 != "A" { print $3 }' | sort)
declared=$(grep -oE '^WAVE_API .*|^ +.*\(' "$2" | grep -oE '\bwave_[a-z_]+\(' | tr -d '(' | sort -u)
number() { sed -n "s/^#define WAVE_VERSION_$1 //p" "$2"; }
version=WAVE_$(number MAJOR "$2").$(number MINOR "$2")
diff <(sed "s/\$/@@$version/" <<<"$declared") <(echo "$exported") || { echo "the header and the library differ"; exit 1; }
echo "$(wc -l <<<"$exported") symbols"
