#!/usr/bin/env python3
"""Says what is in Wave's packages and does not come as a dependency (contents.toml, and npm's packages in pictures).

contents.py ROOT VERSION FOLDER
    writes FOLDER/sbom.spdx.json, a list in SPDX 2.3 with the versions that are installed here; FOLDER/copyright, their
    licences; FOLDER/copyright-of-wave, Wave's own; and FOLDER/changelog.Debian.gz, as Debian wants one in each package.
    The same sources give the same bytes: the date is that of SOURCE_DATE_EPOCH.

Where there are no packages of Debian, as in a build by Spack, versions are left open and licences are those that
contents.toml names.
"""
import datetime
import email.utils
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

OWN = """Wave

Copyright 2026 the Wave project

Licensed under the Apache License, Version 2.0: LICENSE in the documentation of Wave, and on Debian systems
/usr/share/common-licenses/Apache-2.0.
"""
NAMESPACE = "https://spdx.org/spdxdocs/wave"


def debian_version(name):
    """Of a package; nothing if it is not installed here."""
    if shutil.which("dpkg-query") is None:
        return None
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"contents.py: the package {name} is not installed, so its version is left open", file=sys.stderr)
        return None
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
            locator = f"pkg:deb/debian/{part['name']}" + (f"@{version}?distro=debian-12" if version else "")
            yield element("deb", part["name"], version or "NOASSERTION", part["licence"], locator, part["what"])
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
    (folder / "copyright-of-wave").write_text(OWN)
    text = [OWN]
    for part in parts:
        if part["SPDXID"].startswith("SPDXRef-deb-"):
            notice = pathlib.Path("/usr/share/doc", part["name"], "copyright")
            text += [f"\n\n{part['name']} {part['versionInfo']}: {part['comment']}\n\n",
                     notice.read_text() if notice.exists() else part["licenseDeclared"] + "\n"]
    text.append("\n\nThe scripts of pictures: licences-of-pictures.txt beside this file\n")
    (folder / "copyright").write_text("".join(text))
    changes = (f"wave ({version}-1) unstable; urgency=medium\n\n  * What has changed: CHANGELOG.md in the package wave.\n\n"
               f" -- the Wave project <>  {email.utils.format_datetime(when)}\n")
    (folder / "changelog.Debian.gz").write_bytes(gzip.compress(changes.encode(), mtime=0))


if __name__ == "__main__":
    main()
