# Starts ranks on this machine, and finds them. The scripts in this folder source it; they set `wave`.
# shellcheck shell=bash

# shellcheck source=tests/mpi/open_mpi.sh
source "$(dirname "${BASH_SOURCE[0]}")/open_mpi.sh"
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0   # what MPI libraries never free is not our concern

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export TMPDIR=$scratch WAVE_RANKS_OF=$scratch

fail() {
  echo "FAILED: $*"
  [[ ! -e said ]] || { echo "--- what was said:"; cat said; }
  exit 1
}

# ranks COUNT COMMAND...: puts the exit code into `code`, the output into `said`, and the results into `results`.
ranks() {
  local count=$1
  shift
  code=0
  timeout -k 5 240 mpirun -n "$count" "$@" >results 2>said || code=$?
  ((code != 124)) || fail "$count ranks did not end: $*"
}

# The same, where rank 0 ends with an error. mpirun then takes two seconds to end processes that have ended.
ranks_with_error() {
  local count=$1
  shift
  rm -f codes
  # shellcheck disable=SC2016
  ranks "$count" bash -c '"$@"; echo "$OMPI_COMM_WORLD_RANK:$?" >>codes' _ "$@"
  ((code == 0)) || fail "mpirun: exit code $code"
  [[ $(sort codes | tail -n +2 | grep -v ':0$') == "" ]] || fail "a rank other than 0 ended with an error"
  code=$(sed -n 's/^0://p' codes)
}

# Finds the process of a rank of this test; empty if there is none.
process_of() {
  local folder
  for folder in /proc/[0-9]*; do
    # Only the process's own variables say which rank it is; mpirun and the shells between have other names.
    if grep -zqx "WAVE_RANKS_OF=$scratch" "$folder/environ" 2>/dev/null &&
      grep -zqx "OMPI_COMM_WORLD_RANK=$1" "$folder/environ" 2>/dev/null &&
      [[ $(cat "$folder/comm" 2>/dev/null) == "$(basename "$wave")" ]]; then
      echo "${folder#/proc/}"
      return
    fi
  done
}

# number WORDS: the number before these words in `said`, so that "1 234 points" gives 1234; 0 if they are absent.
number() {
  local found
  found=$(grep -oE "[0-9][0-9 ]* $1" said | head -n 1 | grep -oE '^[0-9][0-9 ]*' | tr -d ' ')
  echo "${found:-0}"
}

times_said() { grep -c -- "$1" said || true; }
