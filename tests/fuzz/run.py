#!/usr/bin/env python3
"""Runs the fuzz targets side by side, says how fast each was and what it reached, and fails where one found something.

usage: run.py BUILD SECONDS [TARGET]...     all targets share the seconds
       run.py BUILD --minimise [TARGET]...  keeps in corpus/ what the seeds do not reach, as few and short as may be

New inputs go to BUILD/corpus/TARGET, those that show a fault to BUILD/found/. Further seeds are the files of the tests
and examples, where they are; the words of a target come from the grammar and from the code that it runs.
"""
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CORPUS = ROOT / "tests/fuzz/corpus"
MOST_KEPT = 40  # inputs of a target


@dataclasses.dataclass
class Target:
    longest: int  # bytes of an input
    words: list  # files whose literals are words that it knows
    seeds: list  # patterns of files
    without: str = ""  # files that contain it are no seeds: to read the library again takes most of the time of a run


GRAMMAR = ["grammar/WaveLexer.g4", "frontend/parse/units.cpp", "ir/operations.def"]
MODELS = ["tests/language/*.wave", "tests/language/errors/*.wave", "tests/cli/fixtures/*.wave", "stdlib/tests/**/*.wave",
          "examples/**/*.wave"]
TABLES = ["tests/**/*.csv", "examples/**/*.csv"]
TARGETS = {
    "front_end": Target(4096, GRAMMAR, MODELS + ["stdlib/std/**/*.wave"], "import std"),
    "source": Target(2048, GRAMMAR, ["tests/language/*.wave", "tests/cli/fixtures/*.wave", "stdlib/tests/**/*.wave"]),
    "options": Target(512, GRAMMAR + ["tests/fuzz/options.cpp", "cli/options.cpp"], []),
    "tables": Target(2048, ["tests/fuzz/tables.cpp", "frontend/parse/units.cpp", "frontend/parse/number_forms.cpp",
                                "frontend/source/*_*.cpp"], TABLES),
    "data_files": Target(2048, ["tests/fuzz/data_files.cpp", "frontend/parse/units.cpp", "frontend/parse/number_forms.cpp",
                                "frontend/source/*_*.cpp"],
                         TABLES + ["tests/fuzz/corpus/tables/*"]),
    "benchmarks": Target(8192, ["analysis/machine_fit/read_*.cpp", "analysis/machine_fit/timings.cpp"],
                         TABLES + ["tests/cli/fixtures/benchmarks/*.txt", "examples/**/osu*.txt"]),
    "projects": Target(2048, ["frontend/project/manifest.cpp"],
                       ["tests/cli/fixtures/projects/*/wave.toml"]),
    "recordings": Target(2048, ["analysis/recorded/*.cpp"],
                         ["tests/cli/fixtures/halo_run/*.txt", "tests/cli/fixtures/folded_run/*.txt"]),
    "scalatrace": Target(2048, ["analysis/recorded/scalatrace*.cpp"], []),
    "journals": Target(4096, ["frontend/source/diagnostics.def"], []),
    "language_server": Target(2048, GRAMMAR + ["editors/server/server.cpp", "editors/server/requests.cpp"], MODELS,
                              "import std"),
    # Any bytes are calls: with seeds that are long enough, there are many of them from the beginning.
    "api": Target(512, [], ["tests/cli/fixtures/*.wave"]),
    "results": Target(8192, ["cli/studies/recorded_study.cpp", "cli/studies/result_document.cpp", "cli/options.cpp"],
                      ["tests/cli/fixtures/*.json"]),
}


def files_of(patterns):
    return sorted(path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file())


def seeds_of(target):
    def fits(path):
        return path.stat().st_size <= target.longest and not (target.without and target.without.encode() in path.read_bytes())
    return [path for path in files_of(target.seeds) if fits(path)]


def words_of(target):
    """The literals of the code, without what is written for people, and the names of operations."""
    words = set()
    for path in files_of(target.words):
        text = path.read_text()
        code = re.sub(r"(?m)//.*$|^#include.*$", "", text)
        quoted = r"'((?:\\.|[^'\\\n])+)'" if path.suffix == ".g4" else r'"((?:\\.|[^"\\\n])+)"'
        words.update(re.findall(quoted, code) + re.findall(r"(?m)^  param (\w+)", code))
        if path.suffix == ".def":
            words.update(re.findall(r"(?<=[(, ])([a-zE][a-z0-9_]+)(?=[,)])", code))
    return sorted(word for word in words if len(word) <= 24 and not re.search(r"[{}`\\]", word))


def in_dictionary(word):
    """As libFuzzer reads it: of letters only those of ASCII."""
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in b'\\"' else f"\\x{byte:02x}" for byte in word.encode())


def write_dictionary(target, path):
    path.write_text("".join(f'"{in_dictionary(word)}"\n' for word in words_of(target)))


class Run:
    """One target in a folder of its own, from which no import leads anywhere."""

    def __init__(self, build, name):
        self.build, self.name, self.target = build, name, TARGETS[name]
        self.program = build / "bin" / f"fuzz_{name}"
        self.corpus, self.found = build / "corpus" / name, build / "found"
        for folder in (self.corpus, self.found):
            folder.mkdir(parents=True, exist_ok=True)

    def call(self, arguments, log):
        """The exit status, and the seconds of a processor that it took."""
        with tempfile.TemporaryDirectory(prefix="wave-fuzz-") as folder:
            environment = dict(os.environ, TMPDIR=folder, WAVE_CACHE=str(self.build / "cache"), WAVE_PATH="")
            environment.setdefault("ASAN_OPTIONS", "detect_stack_use_after_return=0:malloc_context_size=8")
            environment.setdefault("UBSAN_OPTIONS", "abort_on_error=1:print_stacktrace=1")  # libFuzzer keeps the input
            with open(log, "wb") as stream:
                child = subprocess.Popen([self.program, *arguments], cwd=folder, env=environment,
                                         stdin=subprocess.DEVNULL, stdout=stream, stderr=stream)
                _, status, usage = os.wait4(child.pid, 0)
                child.returncode = os.waitstatus_to_exitcode(status)
                return child.returncode, usage.ru_utime + usage.ru_stime

    def limits(self):
        # Leaks are looked for at the end: after every run that keeps something, it would take most of the time.
        return [f"-max_len={self.target.longest}", "-timeout=60", "-rss_limit_mb=4096", "-detect_leaks=0",
                f"-artifact_prefix={self.found}/{self.name}-"]

    def fuzz(self, seconds):
        words, seeds = self.build / f"{self.name}.dict", self.build / f"{self.name}.seeds"
        write_dictionary(self.target, words)
        fitting = seeds_of(self.target)
        # To weigh inputs by how rare their features are takes up to half of the time, and reaches no more in minutes.
        arguments = [*self.limits(), f"-max_total_time={seconds}", "-print_final_stats=1", "-reload=0", "-entropic=0"]
        if words.stat().st_size:
            arguments.append(f"-dict={words}")
        if fitting:
            seeds.write_text(",".join(map(str, fitting)))
            arguments.append(f"-seed_inputs=@{seeds}")
        folders = [self.corpus] + [folder for folder in [CORPUS / self.name] if folder.is_dir()]
        log = self.build / f"{self.name}.log"
        return *self.call([*arguments, *folders], log), log.read_text(errors="replace")

    def minimise(self):
        """Seeds come first: only what adds to them is kept, of all lengths alike where it is more than the bound."""
        kept = CORPUS / self.name
        with tempfile.TemporaryDirectory() as folder:
            reached = pathlib.Path(folder)
            for path in seeds_of(self.target):
                shutil.copy(path, reached / ("seed-" + str(path.relative_to(ROOT)).replace("/", "-")))
            status, _ = self.call([*self.limits(), "-merge=1", reached, *([kept] if kept.is_dir() else []), self.corpus],
                               self.build / f"{self.name}.log")
            if status:
                return status
            new = sorted((path for path in reached.iterdir() if not path.name.startswith("seed-")),
                         key=lambda path: (path.stat().st_size, path.name))
            shutil.rmtree(kept, ignore_errors=True)
            kept.mkdir(parents=True)
            for path in new[:: -(-len(new) // MOST_KEPT) or 1]:
                shutil.copy(path, kept / path.name)
        return 0


def number(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def main():
    build, what, names = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3:] or list(TARGETS)
    unknown = [name for name in names if name not in TARGETS]
    if unknown:
        sys.exit(f"there is no target `{unknown[0]}`; the targets are {', '.join(TARGETS)}")
    if what != "--minimise" and not what.isdecimal():
        sys.exit(f"fuzz for how many seconds? `{what}` is not a whole number")
    workers = min(len(names), int(os.environ.get("WAVE_JOBS", os.cpu_count())))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        if what == "--minimise":
            return max(pool.map(lambda name: Run(build, name).minimise(), names))
        rounds = -(-len(names) // workers)
        seconds = max(1, int(what) // rounds)
        begin = time.monotonic()
        results = list(pool.map(lambda name: Run(build, name).fuzz(seconds), names))
    print(f"{'target':<12}{'runs':>10}{'a CPU second':>14}{'features':>10}{'inputs':>8}")
    failed = 0
    for name, (status, spent, text) in zip(names, results):
        runs = number(r"stat::number_of_executed_units: *(\d+)", text)
        features, inputs = number(r"ft: (\d+)", text), number(r"corp: (\d+)", text)
        print(f"{name:<12}{runs:>10}{runs / spent:>14.0f}{features:>10}{inputs:>8}")
        if status == 0 and features == 0:  # libFuzzer then tries variations of its shortest seed alone
            failed = 1
            print(f"{name} was not told which ways its inputs took", file=sys.stderr)
        if status == 0:
            continue
        failed = 1
        artifact = re.findall(r"Test unit written to (\S+)", text)
        print("\n".join(text.splitlines()[-60:]), file=sys.stderr)
        print(f"{name} has found a fault"
              + (f"; this shows it again:\n  {build}/bin/fuzz_{name} {artifact[-1]}" if artifact else ""), file=sys.stderr)
    print(f"{len(names)} targets, {seconds} s each, {time.monotonic() - begin:.0f} s in all")
    return failed


if __name__ == "__main__":
    sys.exit(main())
