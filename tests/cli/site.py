#!/usr/bin/env python3
"""Checks the pages that `wave doc --html` makes: of the library, and of a module full of markup.

Every page is well-formed, its ids are unique, and every link leads to a page and a place that are there; nothing is
asked of a network. A folder is replaced only if all that it holds was made so.
usage: site.py WAVE
"""
import html.parser
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

VOID = {"meta", "link", "input", "br", "img"}
HOSTILE = "</p><script>alert(1)</script><img src=x onerror=alert(2)> `</code>` & \"more\""


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.scripts = [], set(), [], []
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        assert len(named) == len(attributes), f"an attribute is given twice: {attributes}"
        assert not any(name.startswith("on") for name in named), f"a handler: {attributes}"
        if "id" in named:
            assert named["id"] not in self.ids, f"two of id {named['id']}"
            self.ids.add(named["id"])
        self.links += [named[name] for name in ("href", "src", "xlink:href") if name in named]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> within {self.open}"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)


def check_links(name, links, pages):
    for link in links:
        if link == "data:,":
            continue
        address = urllib.parse.urlsplit(link)
        assert not address.scheme and not address.netloc, f"{name} asks for {link}"
        target = name
        if address.path:
            target = str(pathlib.PurePosixPath(name).parent / urllib.parse.unquote(address.path))
            target = str(pathlib.PurePosixPath(*resolved(target)))
        assert target in pages, f"{name} leads to {target}, which is not there"
        assert not address.fragment or address.fragment in pages[target].ids, f"{name} leads to {link}, which is not there"


def resolved(path):
    parts = []
    for part in path.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return parts


def check_site(folder):
    pages = {}
    for file in sorted(folder.rglob("*.html")):
        name = file.relative_to(folder).as_posix()
        text = file.read_text()
        assert "default-src 'none'" in text, f"{name} has no policy"
        try:
            pages[name] = Page(text)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
    for name, page in pages.items():
        check_links(name, page.links, pages)
    listed = set((folder / "wave-files.txt").read_text().split())
    assert listed == set(pages), listed ^ set(pages)
    index = json.loads(pages["index.html"].scripts[0])
    check_links("index.html", [entry[4] for entry in index], pages)
    return pages, index


def made(wave, folder, *what):
    # Pictures of costs take long where several tests share a core.
    return subprocess.run([wave, "doc", *what, "--html", folder, "--time-limit", "5min"], capture_output=True, text=True)


def check_library(wave, scratch):
    site = scratch / "library"
    done = made(wave, site, "std")
    assert done.returncode == 0, done.stderr
    pages, index = check_site(site)
    modules = subprocess.run([wave, "doc", "std"], capture_output=True, text=True, check=True).stdout
    names = [line for line in modules.splitlines() if line and not line.startswith(" ")]
    assert len(names) > 20 and len(pages) == 1 + 2 * len(names), (len(names), len(pages))
    assert ["SP2", "machine", "std.machines.ibm_sp2"] in [entry[:3] for entry in index]
    text = (site / "module/std.machines.ibm_sp2.html").read_text()
    assert text.count("<svg") == 4 and all(f">{cost}</text>" in text for cost in ("send", "receive", "total")), "no costs"
    assert "extends EagerRendezvous</a>" in text, "no way to the machine that is extended"
    killed = scratch / "library.aB3xYz.wave-new"
    (killed / "module").mkdir(parents=True)
    (killed / "module/std.html").write_text("half a page")
    again = made(wave, site, "std")
    assert again.returncode == 0, again.stderr
    assert [path.name for path in scratch.iterdir()] == ["library"], "something is left behind"
    return site


def check_foreign_folders(wave, scratch, site):
    (site / "notes.txt").write_text("mine")
    refused = made(wave, site, "std")
    assert refused.returncode == 1 and "notes.txt" in refused.stderr and (site / "notes.txt").exists()
    other = scratch / "other"
    other.mkdir()
    assert made(wave, other, "std").returncode == 0 and (other / "index.html").exists(), "an empty folder is taken"
    link = scratch / "link"
    link.symlink_to(other)
    assert made(wave, link, "std").returncode == 1, "a link was replaced"


def check_markup(wave, scratch):
    models = scratch / "models"
    models.mkdir()
    (models / "index.wave").write_text(
        f"""wave 1
/// {HOSTILE}
import std.comm {{ Machine }}
/// {HOSTILE}
model M {{
  param s: string = "<b>" from "<i>"   /// {HOSTILE}
  param n: int = 1
  output x = if s == "</script>" then n else 2
}}
""")
    (models / "2nd <file>.wave").write_text('export import "./index.wave"\n')
    site = scratch / "markup"
    done = made(wave, site, models)
    assert done.returncode == 0, done.stderr
    pages, _ = check_site(site)
    assert len(pages) == 5
    for page in pages.values():
        assert not any("alert(1)" in script and "index" not in script and not script.startswith("[") for script in page.scripts)
    for file in site.rglob("*.html"):
        text = file.read_text()
        assert "<script>alert" not in text and "<img" not in text and "<b>" not in text and "<i>" not in text, file


def main():
    wave = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        site = check_library(wave, scratch)
        check_foreign_folders(wave, scratch, site)
        check_markup(wave, scratch)


if __name__ == "__main__":
    main()
