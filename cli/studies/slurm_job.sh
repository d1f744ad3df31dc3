
# How it goes on. Slurm sends USR1 before the time of a part is over, and the part asks to be queued again. It queues a
# part again by itself where it took the node away, or the node went down. A part keeps a journal, so it goes on where it
# ended, however it ended.
seconds_before_the_end=60

usage() {
  cat <<HELP
usage: bash ${script##*/} [--dry-run] [OPTION OF SBATCH]...

Submits the parts that are not there yet as an array job, and a job that merges all parts after them. Options go to
sbatch, for both jobs: --time=2:00:00 --partition=short --cpus-per-task=8
--dry-run shows what would be submitted.
HELP
}

part_file() { printf '%s/%d.part' "$parts_folder" "$1"; }

# The parts that are not whole, as Slurm lists the tasks of an array: 1-3,7.
open_parts() {
  local part first=0 list=
  for ((part = 1; part <= parts + 1; ++part)); do
    if ((part <= parts)) && [[ ! -e $(part_file "$part") ]]; then
      ((first)) || first=$part
    elif ((first)); then
      list+=,$first
      ((part - 1 == first)) || list+=-$((part - 1))
      first=0
    fi
  done
  printf '%s' "${list#,}"
}

submit() {
  local show= id after=() tasks
  if [[ ${1:-} == --dry-run ]]; then
    show=1
    shift
  fi
  local usual=(--parsable --job-name="${output##*/}" --chdir="$folder" --open-mode=append)
  tasks=$(open_parts)
  if [[ $tasks ]]; then
    local job=(sbatch "${usual[@]}" --output="${parts_folder//%/%%}/%a.log" --array="$tasks" --requeue
      --signal="B:USR1@$seconds_before_the_end" "$@" "$script" part)
    if [[ $show ]]; then
      printf '%q ' "${job[@]}"
      echo
      id=ARRAY
    else
      mkdir -p "$parts_folder"
      id=$("${job[@]}")
      id=${id%%;*}   # the cluster's name may stand behind it
      echo "array job $id computes ${tasks} of $parts parts; $parts_folder has their logs"
    fi
    after=(--dependency="afterok:$id" --kill-on-invalid-dep=yes)
  fi
  job=(sbatch "${usual[@]}" --output="${parts_folder//%/%%}/merge.log" --requeue "${after[@]}" "$@" "$script" merge)
  if [[ $show ]]; then
    printf '%q ' "${job[@]}"
    echo
  else
    id=$("${job[@]}")
    echo "job ${id%%;*} then writes $output"
  fi
}

compute_part() {
  local part=$SLURM_ARRAY_TASK_ID pid status=0 out_of_time= stopped=
  "$wave" sweep --threads="${SLURM_CPUS_PER_TASK:-1}" "${study[@]}" --resume \
    --shard="$part/$parts" --out="$(part_file "$part")" &
  pid=$!
  trap 'out_of_time=1; kill -TERM "$pid"' USR1
  trap 'stopped=1; kill -TERM "$pid"' TERM
  while :; do
    wait "$pid" && status=0 || status=$?
    kill -0 "$pid" 2>/dev/null || break   # it was the signal that ended the waiting
  done
  if [[ $out_of_time && ! $stopped ]] && ((status != 0)); then
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_$part"
  fi
  return "$status"
}

merge_parts() {
  local files=() part
  for ((part = 1; part <= parts; ++part)); do files+=("$(part_file "$part")"); done
  "$wave" merge "${files[@]}" "${merging[@]}" --out="$output"
}

case ${1:-} in
  part) compute_part ;;
  merge) merge_parts ;;
  -h | --help) usage ;;
  *) submit "$@" ;;
esac
