#!/usr/bin/env bash
# Makes a release of the commit that is checked out: builds it twice, in two folders, and compares the packages byte by
# byte; uses the packages in a new tree of Debian, as root; runs all tests; and leaves the packages in FOLDER with their
# digests.
# usage: release.sh ROOT VERSION FOLDER
set -euo pipefail
root=$1 version=$2 folder=$3
die() { echo "release: $*" >&2; exit 1; }

[[ -z $(git -C "$root" status --porcelain) ]] || die "what is not committed would not be in it: git status"
grep -q "^## \[$version\] - [0-9-]*$" "$root/CHANGELOG.md" || die "CHANGELOG.md has no section \`[$version] - DATE\`"
! git -C "$root" rev-parse -q --verify "refs/tags/v$version" >/dev/null || die "there is a tag v$version already"
[[ ! -e $folder ]] || die "$folder exists already"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset WAVE_BUILD_DIR
for name in first second; do
  git clone -q "$root" "$work/$name"
  "$work/$name/dev" package >/dev/null
done
# What was compared is checked and left: the tests bring packages with which a build would come out otherwise (mold).
for name in first second; do mv "$work/$name/build/release/packages" "$work/packages-$name"; done
diff -rq "$work/packages-first" "$work/packages-second" || die "two builds give different packages"
rm -rf "$work/second" "$work/packages-second"

bash "$work/first/packaging/check.sh" "$work/packages-first" "$work/first"
"$work/first/dev" test
"$work/first/dev" test --sanitize

(cd "$work/packages-first" && sha256sum -- * > "$work/digests" && mv "$work/digests" SHA256SUMS)
mv "$work/packages-first" "$folder"
echo "release: $folder has the packages of $(git -C "$root" rev-parse HEAD); what remains is: git tag -a v$version"
