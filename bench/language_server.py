#!/usr/bin/env python3
"""A session of an editor with `wave lsp`: how long answers take, and how much memory the server does.

usage: language_server.py WAVE

Sessions with the same requests: over a text of some 1000 lines with machines, models, processes and tests; over the
largest module of the library; and over a project of 200 modules, of which one imports all others. Each request follows a
key stroke, so it includes reading the document again. Then what is asked of all files of a project of 200 models that
share a module: right away, after a key stroke in one of them, and after one in the module that all import. Prints the
table of bench/README.md.
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


def models_with_a_common_module(folder, models=199):
    """Models of some thirty lines on machines of their own, which all import `common`."""
    (folder / "common.wave").write_text(
        "wave 1\n/// Cells along a side.\nlet side = 480\n/// What a border of n cells has.\n"
        "fn border(n: real): data = n * 8 B\n")
    for i in range(models):
        steps = "\n".join(f"  /// Part {k} of the work.\n  let part{k} = {k + 1} us * n" for k in range(8))
        (folder / f"model{i}.wave").write_text(
            f"""wave 1
import std.comm {{ Machine }}
import std.machines.ibm_sp2 {{ SP2 }}
import common {{ side, border }}

/// Cluster {i}, with another latency.
machine Cluster{i} extends SP2 {{
  override param L: time = {10 + i} us
}}

model Model{i} {{
  param net: Machine = Cluster{i}()
  param n: int = 16
{steps}
  output total = net.total(border(side / n)) + part0 + part7
}}
""")
    return folder


def measure_index(program, models=199):
    with tempfile.TemporaryDirectory() as temporary:
        folder = models_with_a_common_module(pathlib.Path(temporary), models)
        server = Editor(program, folder)
        texts = {name: (folder / name).read_text() for name in ("model7.wave", "common.wave")}
        uris = {name: (folder / name).as_uri() for name in texts}
        for name, text in texts.items():
            server.open(uris[name], text)
        requests = {  # the declaration of a name, and in how many files that stands
            "references in 200 files": ("references", "common.wave", "let side", {"context": {"includeDeclaration": True}}),
            "references in one file": ("references", "model7.wave", "let part3", {"context": {"includeDeclaration": True}}),
            "rename in one file": ("rename", "model7.wave", "let part3", {"newName": "third_part"}),
            "rename in 200 files": ("rename", "common.wave", "fn border", {"newName": "edge"}),
        }

        def ask(what):
            if what == "symbols":
                return server.request("workspace/symbol", {"query": "Model7"})
            method, name, declaration, further = requests[what]
            text = texts[name]
            return server.request("textDocument/" + method, {"textDocument": {"uri": uris[name]}, **further,
                                                             "position": position(text, text.index(declaration) + declaration.index(" ") + 1)})
        first = timed(lambda: ask("symbols"))
        row("200 models: symbols, the first request", [first])
        for when, typed in (("", None), (", after a key stroke", "model7.wave"),
                            (", after one in the module that all import", "common.wave")):
            for what in (*requests, "symbols"):
                found = []
                for turn in range(ROUNDS):
                    if typed:
                        server.type(uris[typed], texts[typed] + f"// {turn} {what}\n")
                    found.append(timed(lambda what=what: ask(what)))
                row(f"200 models: {what}{when}", found, 100)
        server.end()


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
    measure_index(sys.argv[1])
    print("\nMemory of the server: " + "; ".join(memory) + ".")


main()
