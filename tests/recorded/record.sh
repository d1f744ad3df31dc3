#!/usr/bin/env bash
# Records programs under Open MPI, in C and in Fortran by both of its modules, and holds the model of them against each.
# The three recordings are the same but for times, and the same when they are not folded.
# usage: record.sh WAVE SAME_RECORDINGS PROGRAMS RECORDER
set -euo pipefail
wave=$1 same_recordings=$2 programs=$3 recorder=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Ranks that wait do not yield: beside other work each yield would cost a slice of time, and each message a yield.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

"$wave" record --source > recorder.c
mpicc -std=c11 -Wall -Wextra -Werror -O2 -shared -fPIC -o recorder.so recorder.c
mpicc -std=c11 -Wall -Wextra -O2 -I "$recorder" -o folding "$programs/folding.c"
./folding 300
record() {  # RANKS FOLDER PROGRAM [ARGUMENT]
  local ranks=$1 folder=$2
  shift 2
  mpirun --oversubscribe -n "$ranks" "$wave" record --library ./recorder.so -o "$folder" "$@"
  mpirun --oversubscribe -n "$ranks" "$wave" record --raw --library ./recorder.so -o "${folder}_raw" "$@"
  "$same_recordings" "$folder" "${folder}_raw" "$ranks"
}
without_times() {  # FILE
  sed -E '/^#clock/d; s/^([A-Z][^ ]* [^ ]* [^ ]* [^ ]* [^ ]*) [^ ]* [^ ]*/\1/; s/ [a-z]+=[^ ]*//g' "$1"
}

mpicc -o c "$programs/halo.c"
languages=(c mpi mpi_f08)
mpif90 -o mpi "$programs/halo.F90"
mpif90 -DWITH_TYPES -o mpi_f08 "$programs/halo.F90"
for language in "${languages[@]}"; do
  record 4 "run_$language" "./$language"
  for run in "run_$language" "run_${language}_raw"; do
    "$wave" check "$programs/halo.wave" --against "$run"
  done
  for rank in 0 1 2 3; do
    without_times "run_$language/r0000$rank.txt" > "$language.$rank"
    diff "c.$rank" "$language.$rank"
  done
done

# Requests that are ended one by one, in another order, from anybody, started again, or after their communicator is freed.
mpicc -o requests "$programs/requests.c"
mpif90 -o requests_fortran "$programs/requests.f90"
for program in requests requests_fortran; do
  record 2 "run_$program" "./$program"
  "$wave" check "$programs/requests.wave" --against "run_$program"
done

# Whatever comes first, which is another one each time: `waitany` is compared as one of those that may come.
mpicc -o first "$programs/first.c"
mpirun --oversubscribe -n 4 "$wave" record --library ./recorder.so -o run_first ./first
"$wave" check "$programs/first.wave" --against run_first
sed 's/waitany received/wait received/' "$programs/first.wave" > other.wave
if "$wave" check other.wave --against run_first; then exit 1; fi

# What is repeated is written once, however often. Loops are the same in every round.
mpicc -O2 -o loops "$programs/loops.c"
for rounds in 1 2 50; do record 2 "run_loops$rounds" ./loops "$rounds"; done
mpirun --oversubscribe -n 2 "$wave" record --library ./recorder.so -o run_many ./loops 5000
[[ $(wc -l < run_loops50/r00000.txt) -eq $(wc -l < run_many/r00000.txt) ]]
[[ $(wc -l < run_many/r00000.txt) -lt 60 && $(wc -l < run_loops50_raw/r00000.txt) -gt 4000 ]]
grep -q '^repeat 5000 {' run_many/r00000.txt

# Phases, and calls that no model has.
"$wave" record --header > wave_record.h
mpicc -I. -O2 -o others "$programs/others.c"
mpirun --oversubscribe -n 2 ./others  # without the library, too
record 2 run_others ./others
grep -qx 'Phase send it all' run_others/r00000.txt
grep -qx '#counted Win_fence 2, Put 1' run_others_raw/r00001.txt
grep -q '^Improbe' run_others/r00001.txt
mpirun --oversubscribe -n 2 "$wave" record --frames 1 --library ./recorder.so -o run_frames ./others
grep -q '^Mrecv 1 10 4 2/0000 .* @others+0x[0-9a-f]*' run_frames/r00000.txt
"$same_recordings" run_others run_frames 2

# A program inherits what it would without `wave record`, which has limits for itself; but a limit that was given ends it.
mpicc -o inherits "$programs/inherits.c"
for set in : "ulimit -S -s 2048; ulimit -S -d 4000000; trap '' PIPE ALRM"; do
  bash -c "$set; ./inherits" > alone.txt
  bash -c "$set; \"\$1\" record --library ./recorder.so -o run_inherits ./inherits" - "$wave" > inherited.txt
  diff alone.txt inherited.txt
done
for set in : "trap '' ALRM"; do
  code=0
  bash -c "$set; \"\$1\" record --time-limit 2s --library ./recorder.so -o run_limited sleep 60" - "$wave" || code=$?
  [[ $code -eq $((128 + $(kill -l ALRM))) ]]
done

# What the run was given and where it ran is written, but no name of a host.
mpirun --oversubscribe -n 2 "$wave" record --param n=64 --param "title=a b" --library ./recorder.so -o run_given ./others
grep -qx '#param n 64' run_given/r00000.txt
grep -qx '#param title a b' run_given/r00001.txt
grep -qx '#node 0' run_given/r00001.txt
grep -qx '#cart 2/0000 2 periodic 1 at 1' run_given/r00001.txt
grep -Eq '^#mpi Open MPI [0-9.]+$' run_given/r00000.txt
grep -Eq '^#clock init -?[0-9]+ [0-9]+$' run_given/r00001.txt
if grep -rFq "$(uname -n)" run_*; then exit 1; fi

# Sizes and tags that differ each time are data once there are too many; what differs otherwise is cut off, and both are
# said.
mpicc -O2 -o sizes "$programs/sizes.c"
"$wave" record --memory 1MB --library ./recorder.so -o run_sizes ./sizes
grep -q '^#data Irecv tags, Send sizes tags, Wait sizes: ' run_sizes/r00000.txt
grep -q '^Send 0 data data 1/0000 .* size=' run_sizes/r00000.txt
if grep -q '^#dropped' run_sizes/r00000.txt; then exit 1; fi
"$wave" record --memory 1MB --library ./recorder.so -o run_dropped ./sizes and_calls
grep -q '^#dropped .*Send [0-9]' run_dropped/r00000.txt
[[ $(wc -c < run_dropped/r00000.txt) -lt 1000000 ]]
if "$wave" check "$programs/halo.wave" --against run_dropped -D ranks=1 > said 2>&1; then exit 1; fi
grep -q '1 of 1 ranks did not come to an end' said

# A model of another number of steps, and a run that is there already.
if "$wave" check "$programs/halo.wave" --against run_c -D ranks=5; then exit 1; fi
sed 's/repeat 3/repeat 4/' "$programs/halo.wave" > other.wave
if "$wave" check other.wave --against run_c 2> said; then exit 1; fi
grep -q 'error\[E0722\]' said
if "$wave" record --library ./recorder.so -o run_c ./c 2> said; then exit 1; fi
grep -q 'has a recording already' said
if "$wave" record --library "$programs/halo.c" -o other ./c 2> said; then exit 1; fi
grep -q 'is no library for MPI' said

cat > alone.c <<'C'
#include <mpi.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  MPI_Barrier(MPI_COMM_WORLD);
  if (fork() == 0) exit(0);
  wait(NULL);
  MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  exit(0);
}
C
mpicc -o alone alone.c

# A recording that is there is not written over, even where it was cut; other files are left alone.
mkdir files
touch files/report.txt files/r.txt files/r1a.txt
mpirun --oversubscribe -n 1 "$wave" record --library ./recorder.so -o files ./alone > said 2>&1 || true
grep -q '^Bcast' files/r00000.txt
mv files/r00000.txt files/r00000.txt.part
if mpirun --oversubscribe -n 1 "$wave" record --library ./recorder.so -o files ./alone > said 2>&1; then exit 1; fi
grep -q 'has a recording already' said

# A rank that is killed leaves what it has done under another name; one that ends the run, or leaves, has come to its end.
cat > killed.c <<'C'
#include <mpi.h>
#include <stdlib.h>
int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(2);
  PMPI_Barrier(MPI_COMM_WORLD);  /* not recorded: each has written what there was */
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}
C
mpicc -o killed killed.c
for raw in "" --raw; do
  if mpirun --oversubscribe -n 2 "$wave" record $raw --library ./recorder.so -o "cut$raw" ./killed > /dev/null 2>&1; then exit 1; fi
  [[ -e cut$raw/r00000.txt && ! -e cut$raw/r00000.txt.part && -e cut$raw/r00001.txt.part ]]
  grep -q Abort "cut$raw/r00000.txt"
  grep -q Barrier "cut$raw/r00001.txt.part"
  if "$wave" check "$programs/halo.wave" --against "cut$raw" -D ranks=2 2> said; then exit 1; fi
  grep -q '1 of 2 ranks did not come to an end' said
done
grep -q '^#cut' cut/r00001.txt.part
