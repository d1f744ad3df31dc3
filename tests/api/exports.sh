#!/usr/bin/env bash
# The library exports what the header declares, under the version that the map says, and nothing else.
# usage: exports.sh LIBRARY HEADER MAP
set -euo pipefail
exported=$(nm -D --defined-only --with-symbol-versions "$1" | awk '$2 != "A" { print $3 }' | sort)
declared=$(grep -oE '^WAVE_API .*|^ +.*\(' "$2" | grep -oE '\bwave_[a-z_]+\(' | tr -d '(' | sort -u)
listed=$(grep -oE '\bwave_[a-z_]+;' "$3" | tr -d ';' | sort)
version=$(grep -oE '^WAVE_[0-9.]+' "$3")
diff <(echo "$declared") <(echo "$listed") || { echo "the header and the map differ"; exit 1; }
diff <(sed "s/\$/@@$version/" <<<"$listed") <(echo "$exported") || { echo "the map and the library differ"; exit 1; }
echo "$(wc -l <<<"$exported") symbols"
