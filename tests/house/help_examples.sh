#!/usr/bin/env bash
# Every verb has two or three examples in its --help. They work, one after the other, in the folder of the examples.
# With `man`: its manual page, as `man` shows it, has the same ones.
# usage: help_examples.sh ROOT WAVE help|man
set -euo pipefail
root=$1 wave=$2 where=$3
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$wave" "$scratch/bin/wave"
export PATH=$scratch/bin:$PATH

in_help() { wave "$1" --help | sed -n '/^Examples:$/,/^$/s/^    //p'; }
# A page has a margin of seven, and its commands stand four further in.
in_man() {
  LC_ALL=C.UTF-8 MANWIDTH=60 MANPAGER=cat man --local-file "$scratch/man/wave-$1.1" |
    sed -n '/^EXAMPLES$/,/^[A-Z]/s/^ \{11\}//p'
}
if [[ $where == man ]]; then
  command -v man >/dev/null || { echo "there is no man (Debian: man-db)"; exit 77; }
  python3 "$root/cli/man_pages.py" "$wave" "$scratch/man"
fi

failed=0
for verb in $(sed -n 's/^[A-Z]*(\([a-z]*\))$/\1/p' "$root/cli/verbs/registry.def"); do
  if [[ $where == man ]]; then
    diff <(in_help "$verb") <(in_man "$verb") >"$scratch/differences" && continue
    echo "man: wave $verb has other examples than --help:"
    cat "$scratch/differences"
    failed=1
    continue
  fi
  mkdir "$scratch/$verb"
  cp -r "$root/examples" "$scratch/$verb"
  mapfile -t commands < <(in_help "$verb")
  if ((${#commands[@]} < 2 || ${#commands[@]} > 3)); then
    echo "wave $verb has ${#commands[@]} examples, not two or three"
    failed=1
  fi
  for command in "${commands[@]}"; do
    [[ $command == *"wave $verb "* || $command == *"wave $verb" || $command != *"wave "* || $verb == diff || $verb == merge ]] ||
      { echo "wave $verb has an example of something else: $command"; failed=1; }
    if ! (cd "$scratch/$verb" && bash -euo pipefail -c "$command") >"$scratch/said" 2>&1; then
      echo "wave $verb has an example that does not work: $command"
      cat "$scratch/said"
      failed=1
    fi
  done
done
exit $failed
