#!/usr/bin/env bash
# Tests the module for MPI with small and large messages between up to eight ranks.
# usage: squares.sh SQUARES MODULE FOLDER
set -uo pipefail
wave=$1 here=$3
export WAVE_MPI_PLUGIN=$2
# shellcheck source=tests/mpi/ranks.sh
source "$here/ranks.sh"
for count in 1 3 8; do
  for size in "100000 16" "40 1000000"; do
    # shellcheck disable=SC2086
    ranks $count "$wave" $size
    ((code == 0)) || fail "$count ranks, $size: exit code $code, $(cat results)"
    [[ $(cat results) == "all there on $count ranks" ]] || fail "$count ranks, $size: $(cat results)"
  done
done
