#!/usr/bin/env python3
"""Says what is in Wave's packages and does not come as a dependency (contents.toml, and npm's packages in pictures).

contents.py ROOT VERSION FOLDER
    writes FOLDER/sbom.spdx.json, a list in SPDX 2.3 with the versions that are installed here, and FOLDER/copyright,
    their licences. The same sources give the same bytes: the date is that of SOURCE_DATE_EPOCH.
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib

NAMESPACE = "https://spdx.org/spdxdocs/wave"


def debian_version(name):
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"the package {name} of contents.toml is not installed: {done.stderr.strip()}")
    return done.stdout


def element(kind, name, version, licence, locator, comment):
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{kind}-{name}-{version}"), "name": name,
            "versionInfo": version, "licenseConcluded": "NOASSERTION", "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "comment": comment,
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": locator}]}


def contained(root):
    with open(root / "packaging/contents.toml", "rb") as file:
        for part in tomllib.load(file)["debian"]:
            version = debian_version(part["name"])
            yield element("deb", part["name"], version, part["licence"],
                          f"pkg:deb/debian/{part['name']}@{version}?distro=debian-12", part["what"])
    lock = json.loads((root / "analysis/pictures/web/package-lock.json").read_text())
    for path, part in sorted(lock["packages"].items()):
        if path:
            name = path.rpartition("node_modules/")[2]
            yield element("npm", name, part["version"], part.get("license", "NOASSERTION"),
                          f"pkg:npm/{name.replace('@', '%40')}@{part['version']}", "scripts of pictures, in the program")


def main():
    root, version, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    parts = list(contained(root))
    wave = element("source", "wave", version, "Apache-2.0", f"pkg:generic/wave@{version}", "the program and libwave")
    digest = hashlib.sha256(json.dumps([wave, parts]).encode()).hexdigest()
    when = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), datetime.timezone.utc)
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"wave-{version}",
        "documentNamespace": f"{NAMESPACE}-{version}-{digest[:32]}",
        "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: packaging/contents.py"]},
        "packages": [wave, *parts],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": wave["SPDXID"]},
            *({"spdxElementId": wave["SPDXID"], "relationshipType": "CONTAINS", "relatedSpdxElement": part["SPDXID"]}
              for part in parts)],
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sbom.spdx.json").write_text(json.dumps(document, indent=1) + "\n")
    text = [f"Wave {version}\n\n", (root / "LICENSE").read_text()]
    for part in parts:
        if part["SPDXID"].startswith("SPDXRef-deb-"):
            text += [f"\n\n{part['name']} {part['versionInfo']}: {part['comment']}\n\n",
                     pathlib.Path("/usr/share/doc", part["name"], "copyright").read_text()]
    text.append("\n\nThe scripts of pictures: licences-of-pictures.txt in the package wave\n")
    (folder / "copyright").write_text("".join(text))


if __name__ == "__main__":
    main()
