#!/usr/bin/env python3
"""Checks the pages that `wave doc --html` makes: of the library, and of a module full of markup.

Every page is well-formed, its ids are unique, and every link leads to a page and a place that are there; nothing is
asked of a network. A folder is replaced only if all that it holds was made so.
usage: site.py WAVE
"""
import base64
import html
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

SOURCE = pathlib.Path(__file__).resolve().parents[2]
VOID = {"meta", "link", "input", "br", "img"}
HOSTILE = "</p><script>alert(1)</script><img src=x onerror=alert(2)> `</code>` & \"more\""


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.scripts = [], set(), [], []
        self.outward = set()  # what a reader may follow, and nothing asks for by itself
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
        if tag == "a" and named.get("href", "").startswith("https://"):
            self.outward.add(named["href"])
        if tag == "img":
            assert named["src"].startswith("data:image/svg+xml;base64,") and named["alt"], attributes
            base64.b64decode(named["src"].partition(",")[2], validate=True)
            return
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
        if link in pages[name].outward:
            continue
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
    assert len(names) > 20, names
    check_documentation(wave, site, pages, index, len(names))
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


def check_documentation(wave, site, pages, index, modules):
    """Each text of the documentation is a page. Links of texts that have a page lead to it, pictures are in the pages."""
    texts = [*SOURCE.glob("docs/*.md"), *SOURCE.glob("docs/diagnostics/*.md"), SOURCE / "README.md", SOURCE / "CHANGELOG.md"]
    wanted = {text.relative_to(SOURCE).with_suffix(".html").as_posix() for text in texts}
    assert wanted <= set(pages), wanted - set(pages)
    assert len([name for name in pages if name.startswith(("module/", "source/"))]) == 2 * modules
    for text in texts:
        name = text.relative_to(SOURCE).with_suffix(".html").as_posix()
        found, written = (site / name).read_text(), text.read_text()
        assert "```" not in found and "](" not in re.sub("<code>.*?</code>", "", found, flags=re.S), f"{name} has marks of Markdown"
        for title in re.findall("^## (.*)$", re.sub("^```.*?^```$", "", written, flags=re.M | re.S), re.M):
            assert title.replace("`", "").replace("*", "") in html.unescape(found), f"{name} lacks {title}"
    guide = pages["docs/guide.html"]
    assert "../docs/language.html" in guide.links and ">The Wave language</a>" in (site / "docs/guide.html").read_text()
    assert (site / "README.html").read_text().count("<img ") == 1
    assert '<span class="keyword">model</span>' in (site / "docs/guide.html").read_text(), "models are not coloured"
    library = [link for link in pages["docs/add-a-machine.html"].links + pages["docs/fit-a-machine.html"].links if "source/" in link]
    assert library, "no text leads to a module"
    assert ["Where time goes", "page"] in [entry[:2] for entry in index]
    assert any(entry[1] == "diagnostic" and entry[4] == "docs/diagnostics/E0201.html" for entry in index)
    assert any(entry[1] == "section" and entry[4] == "docs/editors.html#values-beside-the-text" for entry in index)


def check_refusals(wave, scratch):
    """A module where a folder is wanted is no folder, and a module has pages of its own."""
    for word in ("std", "std.pipeline", "std.comm", "models.wave"):
        refused = subprocess.run([wave, "doc", "--html", word], capture_output=True, text=True, cwd=scratch)
        assert refused.returncode == 2 and f"./{word}" in refused.stderr, refused.stderr
        assert not (scratch / word).exists(), f"{word} was written"
    one = scratch / "one"
    assert made(wave, one, "std.comm").returncode == 0
    pages, _ = check_site(one)
    assert set(pages) == {"index.html", "module/std.comm.html", "source/std.comm.html"}, set(pages)
    unknown = made(wave, scratch / "none", "std.com")
    assert unknown.returncode == 1 and "std.comm" in unknown.stderr and not (scratch / "none").exists(), unknown.stderr


def check_without_drawing(wave, scratch):
    """The program alone, without the module that draws, makes pages whose costs are numbers."""
    alone = scratch / "alone/bin/wave"
    alone.parent.mkdir(parents=True)
    shutil.copy(wave, alone)
    site = scratch / "undrawn"
    done = made(alone, site, "std.machines.ibm_sp2")
    assert done.returncode == 0 and "instead of pictures" in done.stderr, done.stderr
    check_site(site)
    text = (site / "module/std.machines.ibm_sp2.html").read_text()
    assert "<svg" not in text and text.count("A message on SP2") >= 1 and ">receive<" in text, "no costs"


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
        check_refusals(wave, scratch)
        check_without_drawing(wave, scratch)


if __name__ == "__main__":
    main()
