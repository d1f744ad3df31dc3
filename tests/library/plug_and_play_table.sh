#!/usr/bin/env bash
# The tables of docs/plug-and-play.md are what the model prints. With `accept`, they are replaced by what it prints.
# usage: plug_and_play_table.sh ROOT WAVE [accept]
set -euo pipefail
page=$1/docs/plug-and-play.md
wave=$2
rows=$("$wave" run "$1/stdlib/tests/papers/plug_and_play_error.wave" --model Table --format csv)

# Prints the page, with the table between `<!-- NAME -->` and `<!-- end -->` made again from the output NAME.
rewritten=$(awk -F, '
  function table(name,   row, v) {
    print "| code | grid | tiles | EW | NS | W / (Send + Receive) | equations | exact | error |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (row = 1; (name, row, "n") in value; ++row) {
      printf "| %s | %d × %d | %d | %d B | %d B | %g | %.4f ms | %.4f ms | %+.4f %% |\n",
        value[name, row, "code"], value[name, row, "n"], value[name, row, "m"], value[name, row, "blocks"],
        value[name, row, "EW"], value[name, row, "NS"], value[name, row, "grain"],
        1e3 * value[name, row, "equations"], 1e3 * value[name, row, "exact"], 100 * value[name, row, "error"]
    }
  }
  NR == FNR { if ($6 == "evaluated") value[$1, $2, $3] = $4; next }
  /^<!-- end -->$/ { inside = 0 }
  !inside { print }
  /^<!-- (inside|outside) -->$/ { inside = 1; table($0 ~ /outside/ ? "outside" : "inside") }
' <(echo "$rows") "$page")

if [[ ${3:-} == accept ]]; then
  echo "$rewritten" >"$page"
elif ! diff "$page" <(echo "$rewritten"); then
  echo "above: < what docs/plug-and-play.md shows, > what the model gives; plug_and_play_table.sh ROOT WAVE accept rewrites it"
  exit 1
fi
