#!/usr/bin/env bash
# `cmake --install` brings the licences, the list of contents, manual pages, and what Debian's policy asks of each package.
# usage: installed_files.sh BUILD
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cmake --install "$1" --prefix "$folder" >/dev/null

failed=0
need() { [[ -s $folder/$1 ]] || { echo "there is no $1"; failed=1; }; }
need share/doc/wave/copyright
need share/doc/wave/sbom.spdx.json
need share/doc/wave/LICENSE
need share/man/man1/wave-run.1.gz
for overrides in "$folder"/share/lintian/overrides/*; do
  package=$(basename "$overrides")
  need "share/doc/$package/copyright"
  need "share/doc/$package/changelog.Debian.gz"
  grep -q "^Copyright" "$folder/share/doc/$package/copyright" || { echo "$package names no holder of rights"; failed=1; }
done
python3 - "$folder/share/doc/wave" <<'END' || failed=1
import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
parts = [part["name"] for part in json.loads((folder / "sbom.spdx.json").read_text())["packages"]]
lacking = [name for name in parts if name.startswith("llvm") and name not in (folder / "copyright").read_text()]
sys.exit(f"the licences lack {lacking}" if lacking or len(parts) < 5 else 0)
END
exit $failed
