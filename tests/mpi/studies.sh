#!/usr/bin/env bash
# Studies on several ranks of one machine.
# usage: studies.sh WAVE FOLDER SCENARIO; FOLDER is that of this script. WAVE_SEED: the seed of random choices.
set -uo pipefail
wave=$1 here=$2 scenario=$3
# shellcheck source=tests/mpi/ranks.sh
source "$here/ranks.sh"
seed=${WAVE_SEED:-$RANDOM}
RANDOM=$seed
echo "seed $seed"

cp "$here/../studies/ring.wave" .
# Two machines, with points that take little time and points that take much. Those with n = 13 fail.
points=(--vary "net=[SP2(), SP2(L = 5 us)]" --vary "rounds=[1, 10, 300]" --vary "n=1..150"
  --where "rounds > 1 or n mod 15 != 7")
count=880
# There is time to interrupt this one: where iterations are not proved to be alike, the rings of 100 go round for hours.
long=(-D endless=100 --vary "rounds=[160, 400]" --vary "n=14..150")
long_count=274
without_end=(--no-shortcuts --point-limit none)

alone() { "$wave" sweep ring.wave --no-mpi "$@" >results 2>said; }

# Some points fail, so the exit code says so; nothing else may be wrong.
check_failing() {
  ((code == 1)) || fail "$1: exit code $code"
  (($(times_said 'no ring of 13') == 1)) || fail "$1: not said once what failed"
}

same_file() {
  local format ranks
  for format in csv jsonl json; do
    alone "${points[@]}" --out "alone.$format"
    for ranks in 1 2 3 8; do
      [[ $format == csv || $ranks == 2 ]] || continue
      ranks_with_error "$ranks" "$wave" sweep ring.wave --mpi "${points[@]}" --out "together.$format" --verbose
      check_failing "$ranks ranks, $format"
      # The command that makes a file again contains neither the file's name nor the way of evaluation.
      cmp "alone.$format" "together.$format" || fail "$ranks ranks, $format: another file"
      (($(number 'points evaluated') == count)) || fail "$ranks ranks, $format: not $count points evaluated"
      [[ ! -e together.$format.journal ]] || fail "$ranks ranks, $format: a journal is left"
      (($(times_said "^rank ") == ranks)) || fail "$ranks ranks, $format: not each has its account"
      rm "together.$format"
    done
  done
}

standard_output() {
  alone "${points[@]}"
  mv results expected
  ranks 3 "$wave" sweep ring.wave "${points[@]}"
  check_failing "standard output"
  cmp expected results || fail "another text"
  ! grep -q $'\r' said || fail "progress where nobody looks"
}

# Runs it on three ranks in the background, as `job`. It never ends by itself.
begin_long() {
  timeout -k 5 240 mpirun -n 3 "$wave" sweep ring.wave "${long[@]}" "${without_end[@]}" --out long.csv --verbose \
    >results 2>said &
  job=$!
}

# How many chunks are in the journal, which begin with the mark of such records.
chunks_kept() {
  [[ -e long.csv.journal ]] || { echo 0; return; }
  LC_ALL=C tr '\n' '~' <long.csv.journal | LC_ALL=C grep -oaP '\xfaWvRec~\x03' | wc -l
}

# Sends a signal to a rank, or to the `job`, once the journal has so many chunks.
end_on_the_way() {
  local rank=$1 signal=$2 least=$3 processes
  begin_long
  while (($(chunks_kept) < least)); do
    kill -0 "$job" 2>/dev/null || fail "a study without end has ended"
    sleep 0.02
  done
  if [[ $rank == job ]]; then
    # The process that timeout has started.
    processes=$(cat "/proc/$job/task/$job/children")
  else
    processes=$(process_of "$rank")
  fi
  [[ -n $processes ]] || fail "no process of $rank"
  # shellcheck disable=SC2086
  kill -s "$signal" $processes
  wait "$job"
  code=$?
  ((code != 0)) || fail "$rank got a signal, and the job ended well"
  [[ ! -e long.csv ]] || fail "there are results"
  [[ -s long.csv.journal ]] || fail "the journal is gone"
}

# Checks that the points kept in the journal and those evaluated now are all points, and give the right file.
resumed() {
  local kept
  kept=$(number 'were in the journal')
  (($(number 'points evaluated') + kept == long_count)) ||
    fail "$1: evaluated $(number 'points evaluated') points, $kept were kept"
  ((kept > 0)) || fail "$1: no points were kept"
  cmp alone.csv long.csv || fail "$1: another file"
  [[ ! -e long.csv.journal ]] || fail "$1: a journal is left"
}

killed() {
  local rank
  alone "${long[@]}" --out alone.csv || fail "alone"
  for rank in $((1 + RANDOM % 2)) 0; do
    rm -f long.csv*
    end_on_the_way "$rank" KILL $((1 + RANDOM % 2))
    if ((rank == 0)); then
      alone "${long[@]}" --out long.csv --resume --verbose || fail "alone does not go on"
      resumed "resumed alone"
    else
      ranks 2 "$wave" sweep ring.wave "${long[@]}" --out long.csv --resume --verbose
      ((code == 0)) || fail "does not go on: $code"
      resumed "resumed on 2 ranks"
    fi
  done
}

# Ranks are lost at any moment, before the study has begun to after its end, again and again. WAVE_COUNT: how many.
lost() {
  local kills=${WAVE_COUNT:-2} lost=0 count rank process in_a_row=0
  alone "${long[@]}" --out alone.csv || fail "alone"
  while ((lost < kills)); do
    count=$((2 + RANDOM % 2)) rank=$((RANDOM % 2))
    timeout 240 mpirun -n $count "$wave" sweep ring.wave "${long[@]}" --out long.csv --resume --verbose \
      >results 2>said &
    job=$!
    sleep "$((RANDOM % 2)).$((RANDOM % 10))$((RANDOM % 10))"
    process=$(process_of $rank)
    # shellcheck disable=SC2086
    [[ -z $process ]] || { kill -s KILL $process 2>/dev/null && lost=$((lost + 1)); }
    code=0
    wait "$job" || code=$?
    ((code != 124)) || fail "rank $rank of $count was lost, and the others did not end"
    [[ ! -e long.csv ]] || cmp alone.csv long.csv || fail "rank $rank of $count was lost: another file"
    ((++in_a_row < 3)) && [[ ! -e long.csv || -e long.csv.journal ]] && continue
    in_a_row=0
    alone "${long[@]}" --out long.csv --resume || fail "does not go on: $(cat said)"
    cmp alone.csv long.csv || fail "resumed: another file"
    [[ $(echo long.csv*) == long.csv ]] || fail "more is left: $(echo long.csv*)"
    rm long.csv
  done
  echo "$lost ranks were lost"
}

# Ctrl-C goes to mpirun, which ends the ranks.
interrupted() {
  alone "${long[@]}" --out alone.csv || fail "alone"
  end_on_the_way job INT 1
  (($(times_said 'stopped: .*--resume') <= 1)) || fail "said more than once that it was stopped"
  ranks 3 "$wave" sweep ring.wave "${long[@]}" --out long.csv --resume --verbose
  ((code == 0)) || fail "does not go on: $code"
  resumed "resumed"
}

# Compares what was said with a file, leaving out the machine's name.
said_is() {
  sed -e "s/ on $(uname -n)/ on HOST/" -e '/^---*$/,$d' said >said.plain
  diff "$here/$1.expected" said.plain || fail "something else was said than in $1.expected"
}

# Rank 1 finds another model, and rank 2 finds none. Rank 0 says so, and all ranks end.
other_model() {
  mkdir same other none
  cp ring.wave same
  sed 's/compute(W/compute(2 * W/' ring.wave >other/ring.wave
  ranks 2 bash -c 'cd "$(cut -d " " -f $((OMPI_COMM_WORLD_RANK + 1)) <<<"same other")" && exec "$@"' _ \
    "$wave" sweep ring.wave "${points[@]}" --out results.csv
  ((code == 1)) || fail "another model: exit code $code"
  said_is other_model
  ranks 3 bash -c 'cd "$(cut -d " " -f $((OMPI_COMM_WORLD_RANK + 1)) <<<"same same none")" && exec "$@"' _ \
    "$wave" sweep ring.wave "${points[@]}" --out results.csv
  ((code == 1)) || fail "no model: exit code $code"
  said_is no_model
  ranks 2 bash -c 'exec "$@" --vary "n=1..$((OMPI_COMM_WORLD_RANK + 5))"' _ "$wave" sweep ring.wave --out results.csv
  ((code == 1)) || fail "other points: exit code $code"
  said_is other_points
  ranks 2 bash -c 'exec "$@" --point-limit "$((OMPI_COMM_WORLD_RANK + 5)) s"' _ \
    "$wave" sweep ring.wave "${points[@]}" --out results.csv
  ((code == 1)) || fail "other limits: exit code $code"
  (($(times_said 'error\[E0716\]') == 1)) || fail "other limits: not said once"
  [[ ! -e results.csv && ! -e same/results.csv ]] || fail "a file was written"
}

# A user at a terminal sees the progress, although rank 0 prints it through mpirun.
progress() {
  local words
  printf -v words '%q ' mpirun -n 2 "$wave" sweep ring.wave "${long[@]}" "${without_end[@]}" --out long.csv
  touch said
  TERM=xterm timeout -k 5 240 script -qefc "$words" said >results &
  job=$!
  until grep -q "of $long_count points" said; do
    kill -0 "$job" 2>/dev/null || fail "no progress on a terminal"
    sleep 0.1
  done
  kill -s KILL "$(process_of 0)" || fail "no process of rank 0"
  wait "$job" || true
}

# An error that concerns all ranks is reported once.
wrong_for_all() {
  ranks_with_error 3 "$wave" sweep nothing.wave "${points[@]}" --out results.csv
  ((code == 1)) || fail "no file: exit code $code"
  (($(times_said 'error\[') == 1)) || fail "no file: not said once"
  ranks_with_error 3 "$wave" sweep ring.wave --vary "nn=1..3" --out results.csv
  ((code == 1)) || fail "no such parameter: exit code $code"
  (($(times_said 'error\[') == 1)) || fail "no such parameter: not said once"
  ranks_with_error 3 "$wave" sweep ring.wave "${points[@]}" --out nowhere/results.csv
  ((code == 1)) || fail "no such folder: exit code $code"
  (($(times_said 'error\[') == 1)) || fail "no such folder: not said once"
  ranks 3 "$wave" sweep ring.wave "${points[@]}" --out results.csv --resume --restart
  ((code == 2)) || fail "misuse: exit code $code"
}

# All ranks end when rank 0 has no more room for its journal.
no_room() {
  alone "${long[@]}" --out alone.csv || fail "alone"
  alone "${long[@]}" --shard 1/1 --out whole.part || fail "alone, as a part"
  # There is room for half of the journal. A limit on files would also hit the memory that ranks share.
  # shellcheck disable=SC2016
  OMPI_MCA_btl=self,tcp ranks_with_error 3 bash -c \
    '((OMPI_COMM_WORLD_RANK)) && exec "${@:2}"; exec prlimit --fsize="$1" "${@:2}"' _ \
    $(($(stat -c %s whole.part) / 2)) "$wave" sweep ring.wave "${long[@]}" --no-cache --out long.csv
  ((code == 1)) || fail "no room: exit code $code"
  (($(times_said 'error\[E0613\]') == 1)) || fail "no room: not said once"
  ranks 3 "$wave" sweep ring.wave "${long[@]}" --out long.csv --resume --verbose
  ((code == 0)) || fail "does not go on: $code"
  resumed "with room"
}

# Without the module no rank starts, and one rank says why.
no_module() {
  export WAVE_MPI_PLUGIN=$scratch/libwave-mpi.so
  ranks 3 "$wave" sweep ring.wave "${points[@]}" --out results.csv
  unset WAVE_MPI_PLUGIN
  ((code == 1)) || fail "exit code $code"
  (($(times_said 'error\[E0715\]') == 1)) || fail "not said once"
  [[ ! -e results.csv && ! -e results.csv.journal ]] || fail "a file was written"
}

# Each process evaluates its part. They are not one study on several ranks unless that is asked for.
shards() {
  alone "${points[@]}" --out alone.csv
  # shellcheck disable=SC2016
  ranks 3 bash -c 'part=$((OMPI_COMM_WORLD_RANK + 1)); exec "$@" --shard $part/3 --out $part.part' _ \
    "$wave" sweep ring.wave "${points[@]}"
  ((code == 0)) || fail "parts: exit code $code"
  "$wave" merge 3.part 1.part 2.part --out merged.csv >results 2>said
  cmp alone.csv merged.csv || fail "parts: another file"
  local part
  for part in 1 2; do
    ranks 2 "$wave" sweep ring.wave "${points[@]}" --mpi --shard $part/2 --out half$part.part
    ((code == 0)) || fail "parts on ranks: exit code $code"
  done
  "$wave" merge half1.part half2.part --out halves.csv >results 2>said
  cmp alone.csv halves.csv || fail "parts on ranks: another file"
}

"$scenario"
