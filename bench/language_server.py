#!/usr/bin/env python3
"""A session of an editor with `wave lsp`: how long answers take, and how much memory the server does.

usage: language_server.py WAVE

Two sessions, each with the same requests: over the largest module of the library, and over a project of 200 modules,
of which one imports all others. A row is the median and the worst of the answers, in milliseconds. Requests follow a
key stroke, so each includes reading the document again. Fails where a row is above its target.
"""
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/editors"))
from lsp_client import Client  # noqa: E402

TARGET_MS = 50
TARGETS_MS = {"diagnostics": 100, "values": 200}  # values are waited for in the background
TARGET_MB = 200
ROUNDS = 15


class Editor(Client):
    def __init__(self, program, folder):
        super().__init__(program)
        self.version = 0
        self.request("initialize", {"capabilities": {}, "workspaceFolders": [{"uri": folder.as_uri(), "name": "x"}]})
        self.notify("initialized")

    def open(self, uri, text):
        self.version += 1
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "wave", "version": self.version,
                                                              "text": text}})
        self.diagnostics_of(uri, self.version)

    def type(self, uri, text):
        self.version += 1
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.version},
                                               "contentChanges": [{"text": text}]})

    def megabytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM"))

    def end(self):
        self.request("shutdown")
        self.notify("exit")
        self.process.wait(20)


def position(text, offset):
    before = text[:offset]
    return {"line": before.count("\n"), "character": offset - before.rfind("\n") - 1}


def timed(action):
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def measure(program, title, folder, path, text, name_at):
    server = Editor(program, folder)
    uri = path.as_uri()
    first = timed(lambda: server.open(uri, text))
    found = {}
    about = {"textDocument": {"uri": uri}, "position": position(text, name_at)}
    for turn in range(ROUNDS):
        def ask(what, method, params):
            server.type(uri, text + f"// {turn} {what}\n")
            found.setdefault(what, []).append(timed(lambda: server.request("textDocument/" + method, params)))
        ask("hover", "hover", about)
        ask("completion", "completion", about)
        ask("definition", "definition", about)
        ask("values", "inlayHint", {"textDocument": {"uri": uri}, "range": {
            "start": {"line": 0, "character": 0}, "end": position(text, len(text))}})
        server.type(uri, text + f"// {turn}\n")
        found.setdefault("diagnostics", []).append(timed(lambda: server.diagnostics_of(uri, server.version)))
    memory = server.megabytes()
    server.end()
    lines = text.count("\n")
    print(f"| {title}, {lines} lines | {first:.0f} |", end="")
    clear = True
    for what in ("hover", "completion", "definition", "values", "diagnostics"):
        target = TARGETS_MS.get(what, TARGET_MS)
        middle, worst = statistics.median(found[what]), max(found[what])
        clear = clear and middle < target
        print(f" {middle:.1f} ({worst:.1f}){'' if middle < target else ' above'} |", end="")
    clear = clear and memory < TARGET_MB
    print(f" {memory:.0f}{'' if memory < TARGET_MB else ' above'} |")
    return clear


def project(folder, modules=200):
    """Modules of some fifty lines; the last imports all others."""
    for i in range(modules - 1):
        functions = "\n".join(f"/// The cost of step {k}.\nfn step{k}(d: data, n: int = {k}): time = d / {k + 1} GB/s + n * 1 us"
                              for k in range(16))
        (folder / f"part{i}.wave").write_text(f"wave 1\n{functions}\n")
    imports = "\n".join(f"import part{i}" for i in range(modules - 1))
    sums = "\n".join(f"  let t{i} = part{i}.step{i % 16}(8 B) + W" for i in range(modules - 1))
    text = f"wave 1\n{imports}\nmodel Whole {{\n  param W: time = 1 us\n{sums}\n  output total = t0 + t1\n}}\n"
    (folder / "whole.wave").write_text(text)
    return folder / "whole.wave", text


def main():
    print("| session | first diagnostics, ms | hover, ms (worst) | completion | definition | values | diagnostics | memory, MB |")
    print("|---|---|---|---|---|---|---|---|")
    library = max((ROOT / "stdlib/std").rglob("*.wave"), key=lambda path: path.stat().st_size)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copy = folder / library.name
        text = library.read_text()
        copy.write_text(text)
        clear = measure(sys.argv[1], f"the library's {library.stem}", folder, copy, text, text.rfind("time"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path, text = project(folder)
        clear = measure(sys.argv[1], "a project of 200 modules", folder, path, text, text.rfind("t1") + 1) and clear
    sys.exit(0 if clear else 1)


main()
