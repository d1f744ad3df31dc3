"""What the tests of recipes share: the recipes as they stand in docs/studies.md, a study, and its losses."""

import os
import pathlib
import re
import signal
import subprocess
import time

SOURCE = pathlib.Path(os.environ["WAVE_SOURCE"])
WAVE = os.environ["WAVE_PROGRAM"]
STUDY = ["sweep", "farm.wave", "--study", "scaling"]
POINTS = 400
#: At which part of the points somebody is killed: at the start, amid, at the end.
MOMENTS = [0.0, 0.5, 0.97]


def recipe(name):
    """The block of docs/studies.md that begins with its name, without that line."""
    page = (SOURCE / "docs/studies.md").read_text()
    return re.search(rf"```\w+\n# {re.escape(name)}\n(.*?)```", page, re.DOTALL)[1]


class Study:
    """A folder with the model, in which processes are started that end with it."""

    def __init__(self, folder):
        self.folder = folder
        self.journal = folder / "scaling.csv.journal"
        self.started = []
        (folder / "farm.wave").write_bytes((SOURCE / "tests/recipes/farm.wave").read_bytes())
        (folder / "bin").mkdir()
        (folder / "bin/wave").symlink_to(WAVE)
        path = f"{folder / 'bin'}:{os.environ['PATH']}"
        self.environment = {**os.environ, "PATH": path, "TMPDIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        self.run(WAVE, *STUDY, "--shard", "1/1", "--out", "alone.part")
        self.run(WAVE, "merge", "alone.part", "--out", "alone.csv", codes=[1])  # some points fail
        self.size = (folder / "alone.part").stat().st_size

    def start(self, *command, **options):
        """In a group of its own; what it says goes into a file of its own."""
        said = open(self.folder / f"said.{len(self.started)}", "w+")
        process = subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stdout=said, stderr=subprocess.STDOUT,
            start_new_session=True, **options)
        process.said = said
        self.started.append(process)
        return process

    def run(self, *command, codes=(0,)):
        process = self.start(*command)
        process.wait()
        assert process.returncode in codes, f"{command}: {process.returncode}: {self.said(process)}"
        return self.said(process)

    def said(self, process):
        process.said.seek(0)
        return process.said.read()

    def wait_for(self, process, part):
        """Until the journal is there, and holds this part of the points, or the process has ended."""
        while process.poll() is None and kept(self.journal) < part * POINTS:
            time.sleep(0.002)

    def wait_for_parts(self, process, part):
        """As `wait_for`, of parts and their journals."""
        def files():
            return [file for file in self.folder.rglob("*.part*") if file.is_file() and file.name != "alone.part"]
        while process.poll() is None and kept(*files()) < part * POINTS:
            time.sleep(0.002)

    def limit_disk(self, bytes):
        """From now on `wave` writes no larger files; None: it does."""
        self.program("wave", f'exec {WAVE} "$@"' if bytes is None else
                     f'exec prlimit --fsize={bytes} {WAVE} "$@" --no-cache')

    def program(self, name, does):
        """A script that the study's processes find by this name."""
        file = self.folder / "bin" / name
        file.unlink(missing_ok=True)
        file.write_text(f"#!/bin/sh\n{does}\n")
        file.chmod(0o755)

    def end(self):
        for process in self.started:
            if process.poll() is None:
                kill(process)
            process.said.close()

    def check_finished(self):
        """All was found: the program only writes it."""
        said = self.run(WAVE, *STUDY, "--out", "scaling.csv", "--resume", "--verbose", codes=[1])
        assert "0 points evaluated" in said and f"{POINTS} were in the journal" in said, said
        self.check_results()

    def check_results(self):
        assert (self.folder / "scaling.csv").read_bytes() == (self.folder / "alone.csv").read_bytes()
        (self.folder / "scaling.csv").unlink()


def kept(*journals):
    """How many points they hold; -1 where none is there."""
    found = [journal.read_bytes() for journal in journals if journal.exists()]
    chunks = [re.finditer(rb"\xfaWvRec\x0a\x03.{8}(.{8})(.{8})", bytes, re.DOTALL) for bytes in found]
    numbers = [[int.from_bytes(chunk[i], "little") for i in (1, 2)] for one in chunks for chunk in one]
    return sum(end - begin for begin, end in numbers) if found else -1


def kill(process):
    """With all that it started."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def programs(study):
    """The processes of `wave` that compute in this study's folder."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            is_ours = f"TMPDIR={study.folder}".encode() in (process / "environ").read_bytes().split(b"\0")
            if is_ours and (process / "comm").read_text() == "wave\n":
                found.append(int(process.name))
        except OSError:
            pass  # it has ended
    return found


def kill_one(study):
    """One that computes, if there is one."""
    for process in programs(study)[:1]:
        os.kill(process, signal.SIGKILL)


def kill_all(study, process):
    """With all that compute, wherever they were started from; what they wrote last is cut short."""
    kill(process)
    for one in programs(study):
        os.kill(one, signal.SIGKILL)
    for journal in study.folder.rglob("*.journal"):
        cut(journal)


def cut(file):
    """As where the system went down."""
    with open(file, "r+b") as journal:
        journal.truncate(max(0, file.stat().st_size - 7))
