#!/usr/bin/env bash
# Compares the stage formula with the exact evaluation for random orders, grids and numbers of tiles (see
# order_fills.wave).
# usage: random_orders.sh WAVE COUNT [SEED]
set -euo pipefail
wave=$1
count=$2
seed=${3:-$(date +%s)}
here=$(cd "$(dirname "$0")/../../stdlib/tests/papers" && pwd)
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
echo "seed $seed"

awk -v count="$count" -v seed="$seed" '
  function upto(k) { return 1 + int(rand() * k) }
  BEGIN {
    srand(seed)
    split("NW NE SW SE", corner, " ")
    print "wave 1"
    print "import \"order_fills.wave\" { Unit }"
    print "test \"random orders\" {"
    for (k = 0; k < count; ++k) {
      order = corner[upto(4)]
      for (rest = upto(10) - 1; rest > 0; --rest) order = order ", " corner[upto(4)]
      printf "  expect Unit(corners = [%s], n = %d, m = %d, blocks = %d).off == 0\n", order, upto(7), upto(7), upto(5)
    }
    print "}"
  }
' >"$scratch/random.wave"
"$wave" test -I "$here" "$scratch/random.wave" || { cat "$scratch/random.wave"; exit 1; }
