#!/usr/bin/env python3
"""A session of an editor with `wave lsp`: how long answers take, and how much memory the server does.

usage: language_server.py WAVE

Sessions with the same requests: over a text of some 1000 lines with machines, models, processes and tests; over the
largest module of the library; and over a project of 200 modules, of which one imports all others. Each request follows a
key stroke, so it includes reading the document again. Prints the table of bench/README.md.
"""
import datetime
import os
import pathlib
import re
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


def row(title, milliseconds, target=None):
    middle, worst = statistics.median(milliseconds), max(milliseconds)
    aim = "" if target is None else f" ({'of' if middle < target else 'above'} {target})"
    print(f"| {title} | {middle:.1f} ms{aim} | {worst:.1f} ms |")


def measure(program, title, folder, path, text, name_at, wrong):
    """`wrong` is the text with one error."""
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
        for now, errors in ((wrong, 1), (text, 0)):
            server.type(uri, now)
            given = []
            milliseconds = timed(lambda: given.extend(server.diagnostics_of(uri, server.version)))
            if len(given) != errors:
                sys.exit(f"{title}: {len(given)} diagnostics instead of {errors}")
            found.setdefault("diagnostics", []).append(milliseconds)
    memory = server.megabytes()
    server.end()
    title = f"{title}, {text.count(chr(10))} lines"
    for what in ("diagnostics", "hover", "definition", "completion", "values"):
        row(f"{title}: {what}", found[what], TARGETS_MS.get(what, TARGET_MS))
    row(f"{title}: first diagnostics, once it is opened", [first])
    return f"{title}: {memory:.0f} MB ({'of' if memory < TARGET_MB else 'above'} {TARGET_MB})"


def models(folder, count=8):
    """A halo exchange and a sweep one after the other, under names of their own, with a machine for both."""
    imports = "import std.comm { Machine }\nimport std.machines.ibm_sp2 { SP2 }\n"
    text = "wave 1\n" + imports
    for k in range(count):
        text += f"\n/// Cluster {k}: as the SP2, with another latency and bandwidth.\nmachine Cluster{k} extends SP2 {{\n"
        text += f"  override param L: time = {10 + k} us\n  override param G_l: time/data = {20 + k} ns/B\n}}\n"
        for path, model in (("examples/halo/halo.wave", "Halo"), ("tests/language/section7/sweep3d.wave", "Sweep3D")):
            body = (ROOT / path).read_text().replace("wave 1\n" + imports, "")
            text += re.sub(rf"\b{model}\b", f"{model}{k}", body).replace("= SP2()", f"= Cluster{k}()", 1)
    path = folder / "models.wave"
    path.write_text(text)
    return path, text


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


def machine():
    """As the other benchmarks name it."""
    info = pathlib.Path("/proc/cpuinfo").read_text()
    name = re.search(r"^model name\s*: (.*)$", info, re.M)
    return f"{name[1] if name else 'an unknown processor'}, {os.cpu_count()} cores, {datetime.date.today()}"


def main():
    print(f"{machine()}\n\nFrom a key stroke to the answer, medians of {ROUNDS}, wall time; of diagnostics twice as many\n")
    print("| | Wave | worst |\n|---|---:|---:|")
    memory = []

    def session(title, make, name):
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            path, text = make(folder)
            wrong = text + "let unfinished = missing_name\n"
            memory.append(measure(sys.argv[1], title, folder, path, text, text.rfind(name), wrong))

    def library(folder):
        module = max((ROOT / "stdlib/std").rglob("*.wave"), key=lambda path: path.stat().st_size)
        (folder / module.name).write_text(module.read_text())
        return folder / module.name, module.read_text()

    session("models and machines", models, "iteration")
    session("the largest module of the library", library, "time")
    session("a module that imports 199 others", project, "t1")
    print("\nMemory of the server: " + "; ".join(memory) + ".")


main()
