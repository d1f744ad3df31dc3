#!/usr/bin/env bash
# The six commands of docs/infer.md, with real runs under Open MPI: from a program in C to a curve over 4096 processes.
# usage: curve.sh WAVE PROGRAMS PAGE
set -euo pipefail
wave=$1 programs=$2 page=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir bin
ln -s "$wave" bin/wave
export PATH=$folder/bin:$PATH
source "$programs/../../recipes/open_mpi.sh"
export OMPI_MCA_mpi_yield_when_idle=0  # beside other work each yield would cost a slice of time
mpicc -O2 -o jacobi "$programs/jacobi.c"
sed -n '/^## From a program to a curve/,/^## Which/p' "$page" | sed -n '/^```sh$/,/^```$/p' | sed '1d;$d' > commands.sh
[[ $(wc -l < commands.sh) -eq 6 ]]
while IFS= read -r command; do
  echo "\$ $command"
  bash -euo pipefail -c "$command" < /dev/null 2>&1 | tee said
done < commands.sh
grep -q '^ *4096' said || grep -q '^4096,' said
# The model does what a run did that it does not know.
mpirun -n 6 wave record --library ./recorder.so --param nx=120 --param ny=75 --param iterations=11 --param k=3 -o run6 ./jacobi 120 75 11 3
wave check jacobi.wave --against run6
wave test jacobi.wave
