#!/usr/bin/env bash
# The pictures of the documentation are the ones that Wave draws: each is drawn again and compared byte by byte.
# usage: pictures.sh ROOT WAVE [--accept]; --accept replaces the pictures by the new drawings
set -euo pipefail
cd "$1"
wave=$2
accept=${3:-}
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

# Picture, model and study.
pictures=(
  "blocks.svg examples/sweep/sweep.wave blocks"
  "max_rate.svg examples/max_rate/max_rate.wave grows"
  "megascale.svg examples/training/megascale.wave sizes"
  "megatron_table1.svg examples/training/megatron_table1.wave sizes"
  "vtrain.svg examples/training/vtrain.wave microbatches"
)

# Picture, model and what of it is traced.
timelines=("halo.svg examples/halo/halo.wave -D n=2 -D m=2 -D iterations=2")

# Compares a drawing with the one that is kept, or keeps it.
status=0
settle() {
  local name=$1 made_by=$2
  if [[ $accept == --accept ]]; then
    cp "$scratch/$name" "docs/pictures/$name"
  elif ! cmp "$scratch/$name" "docs/pictures/$name"; then
    echo "docs/pictures/$name is not what \`$made_by\` draws; look at both, then run with --accept"
    status=1
  fi
}

for picture in "${pictures[@]}"; do
  read -r name model study <<<"$picture"
  "$wave" sweep "$model" --study "$study" --out "$scratch/points.csv" --svg "$scratch/$name"
  settle "$name" "wave sweep $model --study $study"
done
for timeline in "${timelines[@]}"; do
  read -r name command <<<"$timeline"
  # shellcheck disable=SC2086
  "$wave" trace $command -o "$scratch/$name"
  settle "$name" "wave trace $command"
done

drawn=$(printf '%s\n' "${pictures[@]}" "${timelines[@]}" | cut -d' ' -f1 | sort)
if ! diff <(echo "$drawn") <(ls docs/pictures); then
  echo "above: < what is drawn here, > what is kept in docs/pictures"
  status=1
fi
exit $status
