#!/usr/bin/env bash
# Every verb has two or three examples in its --help. They work, one after the other, in the folder of the examples.
# usage: help_examples.sh ROOT WAVE
set -euo pipefail
root=$1
wave=$2
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$wave" "$scratch/bin/wave"
export PATH=$scratch/bin:$PATH

failed=0
for verb in $(sed -n 's/^VERB(\([a-z]*\))$/\1/p' "$root/cli/verbs/registry.def"); do
  mkdir "$scratch/$verb"
  cp -r "$root/examples" "$scratch/$verb"
  mapfile -t commands < <(wave "$verb" --help | sed -n '/^Examples:$/,/^$/s/^    //p')
  if ((${#commands[@]} < 2 || ${#commands[@]} > 3)); then
    echo "wave $verb --help has ${#commands[@]} examples, not two or three"
    failed=1
  fi
  for command in "${commands[@]}"; do
    [[ $command == *"wave $verb "* || $command == *"wave $verb" || $command != *"wave "* || $verb == diff || $verb == merge ]] ||
      { echo "wave $verb --help has an example of something else: $command"; failed=1; }
    if ! (cd "$scratch/$verb" && bash -euo pipefail -c "$command") >"$scratch/said" 2>&1; then
      echo "wave $verb --help has an example that does not work: $command"
      cat "$scratch/said"
      failed=1
    fi
  done
done
exit $failed
