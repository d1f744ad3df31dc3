#!/usr/bin/env bash
# Asks lintian about the packages: it finds no error and no warning but those that packaging/lintian/ gives reasons for.
# Then installs them into a new tree of Debian 12 that has nothing else, and uses them there as their users do; then the
# wheel, where none of them is left. As root.
# usage: check.sh FOLDER-OF-PACKAGES ROOT [MIRROR]
set -euo pipefail
packages=$(readlink -f "$1") root=$(readlink -f "$2")
# The archive that this machine's apt uses, however its lists are written.
mirror=${3:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)}
work=$(mktemp -d)
tree=$work/tree
trap 'umount -q "$tree/proc" || true; rm -rf "$work"' EXIT

lintian --allow-root --fail-on error,warning "$packages"/*.deb

debootstrap --variant=minbase bookworm "$tree" "$mirror" >"$work/log" || { tail "$work/log"; exit 1; }
for setting in /etc/apt/apt.conf.d/*; do cp -n "$setting" "$tree/etc/apt/apt.conf.d/"; done   # how apt reaches its mirror
mount -t proc proc "$tree/proc"
inside() { LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$tree" "$@"; }
size() { du -smx --exclude="$tree/var/cache" "$tree" | cut -f 1; }
mkdir "$tree/packages"
cp "$packages"/*.deb "$packages"/*.whl "$tree/packages"

install() {
  local before seconds
  before=$(size)
  inside apt-get -qqy --no-install-recommends --download-only install "${@/#//packages/}" >"$work/log" 2>&1 ||
    { tail "$work/log"; exit 1; }
  seconds=$SECONDS
  inside apt-get -qqy --no-install-recommends install "${@/#//packages/}" >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
  echo "$*: installed in $((SECONDS - seconds)) s, $(($(size) - before)) MB with what it needs"
}
name() { (cd "$packages" && ls "$1"_*.deb); }
expect() { [[ $1 == "$2" ]] || { echo "expected $2, found $1"; exit 1; }; }

install "$(name wave)"
inside wave --version
doc=/usr/share/doc/wave
total=$(inside wave run $doc/examples/sweep3d/sweep3d.wave --format json | grep -A2 '"total"' | tr -d ' \n')
[[ -n $total ]]
inside wave test $doc/examples/sweep3d/sweep3d.wave
inside wave run std.applications.lu --engine jit >/dev/null
[[ -s $tree/usr/share/man/man1/wave-run.1 || -s $tree/usr/share/man/man1/wave-run.1.gz ]]
[[ -s $tree/$doc/sbom.spdx.json && -s $tree/$doc/copyright ]]
if inside wave sweep std.applications.lu --vary "n=1..4" --png /plot.png 2>"$work/said"; then
  echo "a picture is drawn without wave-pictures"; exit 1
fi
grep -q wave-pictures "$work/said" || { cat "$work/said"; echo "what is missing is not named"; exit 1; }

# What others build, against the headers of the package, runs where only the program is installed.
mkdir "$work/development"
dpkg-deb -x "$packages/$(name libwave-dev)" "$work/development"
dpkg-deb -x "$packages/$(name wave)" "$work/development"
libraries=$(dirname "$(find "$work/development" -name libwave.so)")
cc -std=c99 "$root/examples/api/sweep3d.c" -I"$work/development/usr/include" -L"$libraries" -lwave -o "$tree/sweep3d"
expect "$(inside /sweep3d $doc/examples/sweep3d/sweep3d.wave | grep -c .)" 6

install "$(name libwave-dev)"
[[ -s $tree/usr/share/doc/libwave-dev/copyright ]]
[[ -e $tree/usr/include/wave/wave.h ]]
install "$(name python3-wavemodel)"
expect "$(inside python3 -c "import wavemodel as wm; print(wm.load('$doc/examples/sweep3d/sweep3d.wave').run().total.unit)")" s
install "$(name wave-pictures)"
inside wave sweep std.applications.lu --vary "n=1..4" --png /plot.png >/dev/null
expect "$(head -c 4 "$tree/plot.png" | tail -c 3)" PNG
inside apt-get -qqy --no-install-recommends install jupyter-nbconvert python3-ipykernel python3-pandas >"$work/log" 2>&1 ||
  { tail "$work/log"; exit 1; }
inside jupyter nbconvert --execute --to notebook --output-dir / $doc/examples/notebooks/first_model.ipynb >"$work/log" 2>&1 ||
  { tail "$work/log"; exit 1; }

install "$(name wave-otf2)"
cp "$root/tests/recorded/stencil4d.wave" "$tree/"
tar -C "$tree" -xf "$root/tests/recorded/stencil4d.32.tar.xz"
inside wave check /stencil4d.wave --against /stencil4d.32 >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }

# All that a wheel needs is in it.
inside apt-get -qqy purge --autoremove wave libwave-dev python3-wavemodel wave-pictures wave-otf2 >"$work/log" 2>&1
if inside wave --version 2>/dev/null; then echo "the program is there without its package"; exit 1; fi
inside apt-get -qqy --no-install-recommends install python3-pip >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
inside sh -c "python3 -m pip install --quiet --no-index --root-user-action ignore --target /wheel /packages/*.whl"
echo "the wheel: $(du -sm "$tree/wheel" | cut -f 1) MB"
PYTHONPATH=/wheel inside python3 - <<'END'
import wavemodel as wm
assert wm.load("std.applications.lu").run().total.unit == "s"
wm.loads("""wave 1
model Diagonal {
  param n: int = 2000
  grid P[i: n, j: n]
  rec f[i, j] over P: time = max(f[i-1, j] + 1 us * (i * j mod 7), f[i, j-1] + 1 us * (i * i mod 3)) else 0
  output last = f[n, n]
}""").run()
assert any("libwave-jit" in line for line in open("/proc/self/maps")), "a large recurrence is not compiled"
END
PYTHONPATH=/wheel inside /wheel/bin/wave run std.applications.lu --engine jit >/dev/null
echo "all packages work"
