#!/usr/bin/env bash
# Records programs under Open MPI, in C and in Fortran by both of its modules, and holds the model of them against each.
# The three recordings are the same but for times.
# usage: record.sh WAVE PROGRAMS
set -euo pipefail
wave=$1 programs=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

"$wave" record --source > recorder.c
mpicc -std=c11 -Wall -Wextra -Werror -O2 -shared -fPIC -o recorder.so recorder.c
mpicc -o c "$programs/halo.c"
languages=(c mpi mpi_f08)
mpif90 -o mpi "$programs/halo.F90"
mpif90 -DWITH_TYPES -o mpi_f08 "$programs/halo.F90"
for language in "${languages[@]}"; do
  mpirun --oversubscribe -n 4 "$wave" record --library ./recorder.so -o "run_$language" "./$language"
  "$wave" check "$programs/halo.wave" --against "run_$language"
  for rank in 0 1 2 3; do
    cut -d' ' -f1-5,8- "run_$language/r0000$rank.txt" > "$language.$rank"
    diff "c.$rank" "$language.$rank"
  done
done

# Requests that are ended one by one, in another order, from anybody, started again, or after their communicator is freed.
mpicc -o requests "$programs/requests.c"
mpif90 -o requests_fortran "$programs/requests.f90"
for program in requests requests_fortran; do
  mpirun --oversubscribe -n 2 "$wave" record --library ./recorder.so -o "run_$program" "./$program"
  "$wave" check "$programs/requests.wave" --against "run_$program"
done

# A model of another number of steps, and a run that is there already.
if "$wave" check "$programs/halo.wave" --against run_c -D ranks=5; then exit 1; fi
sed 's/repeat 3/repeat 4/' "$programs/halo.wave" > other.wave
if "$wave" check other.wave --against run_c 2> said; then exit 1; fi
grep -q 'error\[E0722\]' said
if "$wave" record --library ./recorder.so -o run_c ./c 2> said; then exit 1; fi
grep -q 'has a recording already' said
if "$wave" record --library "$programs/halo.c" -o other ./c 2> said; then exit 1; fi
grep -q 'is no library for MPI' said

# A rank that is killed leaves what it has done under another name.
cat > killed.c <<'C'
#include <mpi.h>
#include <stdlib.h>
int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  MPI_Barrier(MPI_COMM_WORLD);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}
C
mpicc -o killed killed.c
if mpirun --oversubscribe -n 2 "$wave" record --library ./recorder.so -o cut ./killed > /dev/null 2>&1; then exit 1; fi
[[ -e cut/r00000.txt.part && ! -e cut/r00000.txt && -e cut/r00001.txt.part ]]
if "$wave" check "$programs/halo.wave" --against cut -D ranks=2 2> said; then exit 1; fi
grep -q '2 of 2 ranks did not come to an end' said
