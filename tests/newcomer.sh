#!/usr/bin/env bash
# Runs what a newcomer would: the README's commands in a fresh Debian with nothing but git. It takes tens of minutes,
# needs root and a Debian mirror, and is run by hand.
#
# usage: tests/newcomer.sh [--user] [--apt-config] [--mirror URL] [--keep] [--base DIR]
#   --user        as a user with sudo, in a clone that belongs to somebody else, below a path with a space
#   --apt-config  with this machine's apt configuration (sources, proxies) instead of the mirror's alone
#   --mirror URL  the mirror of debootstrap; its own default where not given
#   --base DIR    a fresh tree to start from, made (and kept) where it is not there
#   --keep        leaves the tree, and says where
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd -P)
as_user=0 apt_config=0 keep=0 mirror='' base=''
while (($#)); do
  case $1 in
    --user) as_user=1 ;;
    --apt-config) apt_config=1 ;;
    --keep) keep=1 ;;
    --mirror) mirror=$2; shift ;;
    --base) base=$2; shift ;;
    *) sed -n '2,/^set/p' "$0" | grep '^#' | cut -c 3- >&2; exit 2 ;;
  esac
  shift
done
(($(id -u) == 0)) || { echo "newcomer: needs root, for debootstrap and chroot" >&2; exit 2; }

# The mounts made below are in a namespace of their own and end with it.
if [[ -z ${WAVE_NEWCOMER_NAMESPACE:-} ]]; then
  options=()
  ((!as_user)) || options+=(--user)
  ((!apt_config)) || options+=(--apt-config)
  ((!keep)) || options+=(--keep)
  [[ -z $mirror ]] || options+=(--mirror "$mirror")
  [[ -z $base ]] || options+=(--base "$base")
  WAVE_NEWCOMER_NAMESPACE=1 exec unshare --mount --propagation private "$0" "${options[@]}"
fi

work=$(mktemp -d)
tree=$work/debian
finish() {
  umount -R "$tree/proc" "$tree/dev" 2>/dev/null || true
  if ((keep)); then echo "newcomer: the tree is $tree"; else rm -rf --one-file-system "$work"; fi
}
trap finish EXIT

say() { echo "newcomer: $*"; }
if [[ -n $base && -d $base ]]; then
  cp -a "$base" "$tree"
else
  say "making a fresh Debian 12"
  # shellcheck disable=SC2086
  debootstrap --variant=minbase --include=git,ca-certificates,sudo bookworm "$tree" $mirror >"$work/debootstrap.log" 2>&1 ||
    { tail "$work/debootstrap.log"; exit 1; }
  [[ -z $base ]] || cp -a "$tree" "$base"
fi
cp -L /etc/resolv.conf /etc/hosts "$tree/etc/" 2>/dev/null || true
if ((apt_config)); then
  cp -a /etc/apt/sources.list* /etc/apt/apt.conf* "$tree/etc/apt/" 2>/dev/null || true
fi
mount -t proc proc "$tree/proc"
mount --rbind /dev "$tree/dev"

clone=/root/wave user=root
if ((as_user)); then
  clone='/srv/a clone/wave' user=newcomer
  chroot "$tree" useradd -m newcomer
  echo 'newcomer ALL=(ALL) NOPASSWD: ALL' >"$tree/etc/sudoers.d/newcomer"
fi
mkdir -p "$(dirname "$tree$clone")"
git -c safe.directory='*' clone -q --no-local "$here" "$tree$clone"

# The commands are those that the README shows.
mapfile -t commands < <(awk '/^```sh$/ { shell = 1; next } /^```/ { shell = 0 } shell && /^\.\/dev (run|test)/' "$tree$clone/README.md")
((${#commands[@]} >= 2)) || { say "README.md does not show its two commands"; exit 1; }
for command in "${commands[@]}"; do
  say "$command"
  started=$SECONDS
  chroot "$tree" su - "$user" -s /bin/bash -c "cd '$clone' && $command" ||
    { say "FAILED after $((SECONDS - started)) s: $command"; exit 1; }
  say "done in $((SECONDS - started)) s"
done
say "all commands work"
