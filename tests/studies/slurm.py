#!/usr/bin/env python3
"""A study as an array job of Slurm, with this script as the scheduler.

slurm.py WAVE SEED
    `sbatch` and `scontrol` are stubs that write down what they are asked for. Tasks are killed as a scheduler does it:
    with their node, preempted, at the end of their time. They are queued again where Slurm would do that, or where
    they ask for it. In the end the file must be the one that `wave sweep` writes alone.
"""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

STUB = """#!/usr/bin/env python3
import json, os, sys, tempfile
with tempfile.NamedTemporaryFile("w", dir=os.environ["QUEUE"], suffix=".new", delete=False) as file:
    json.dump(sys.argv[1:], file)
number = len(os.listdir(os.environ["QUEUE"]))
os.rename(file.name, os.path.join(os.environ["QUEUE"], f"{number:04}.json"))
if sys.argv[0].endswith("sbatch"):
    print(f"{number};cluster")
"""
MODEL = pathlib.Path(__file__).resolve().parent / "ring.wave"
# Takes some seconds on one core: every message of every ring is followed.
STUDY = ["it's a ring.wave", "--vary", "n=1..120", "--vary", "net=[SP2(), SP2(L = 5 us)]", "--where", "n mod 15 != 7",
         "-D", "rounds=12000", "--no-shortcuts", "--show", "total, half = total / 2"]
PARTS = 3


class Scheduler:
    def __init__(self, folder):
        self.folder = folder
        self.queue = folder / "queue"
        self.queue.mkdir()
        self.stubs = folder / "stubs"
        self.stubs.mkdir()
        for name in ("sbatch", "scontrol"):
            (self.stubs / name).write_text(STUB)
            (self.stubs / name).chmod(0o755)
        self.environment = dict(os.environ, QUEUE=str(self.queue), PATH=f"{self.stubs}:{os.environ['PATH']}")
        self.ends = {}  # how tasks were ended, and how often

    def take(self):
        """What was asked for since the last call."""
        requests = []
        for file in sorted(self.queue.glob("*.json")):
            requests.append(json.loads(file.read_text()))
            file.rename(file.with_suffix(".seen"))
        return requests

    def start(self, options, words, more):
        """One task, as Slurm runs a script: from a copy, in the folder that was asked for."""
        spool = self.folder / f"slurm_script_{time.monotonic_ns()}"
        shutil.copy(words[0], spool)
        log = open(options["output"].replace("%a", more.get("SLURM_ARRAY_TASK_ID", "")), "a")
        return subprocess.Popen(["bash", spool, *words[1:]], cwd=options["chdir"], env={**self.environment, **more},
                                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def end(self, how, task, number):
        """Ends a running task in a way after which it is queued again."""
        self.ends[how] = self.ends.get(how, 0) + 1
        if how == "time":  # B:USR1, which only the shell of the script gets
            task.send_signal(signal.SIGUSR1)
            code = task.wait(60)
            asked = self.take()
            expect(asked == [["requeue", f"1_{number}"]], f"asked after USR1: {asked}, exit code {code}")
        elif how == "preempted":
            os.killpg(task.pid, signal.SIGTERM)
            task.wait(60)
            expect(not self.take(), "nobody asks to be queued again where Slurm does that by itself")
        else:
            os.killpg(task.pid, signal.SIGKILL)
            task.wait(60)

    def run_part(self, options, words, number, hows, parts):
        """A task until it is done, ended once in each of these ways on its way."""
        task_is = {"SLURM_ARRAY_JOB_ID": "1", "SLURM_ARRAY_TASK_ID": str(number), "SLURM_CPUS_PER_TASK": "1"}
        journal = parts / f"{number}.part.journal"
        for how in hows:
            before = journal.stat().st_size if journal.exists() else 0
            task = self.start(options, words, task_is)
            while not (journal.exists() and journal.stat().st_size > max(before, 3000)):
                expect(task.poll() is None, f"part {number} ended before it was to be {how}")
                time.sleep(0.001)
            self.end(how, task, number)
            expect(not (parts / f"{number}.part").exists(), "a part that was ended is not there")
        expect(self.start(options, words, task_is).wait(300) == 0, f"part {number} is computed to its end")


def expect(is_so, what):
    if not is_so:
        sys.exit(f"expected: {what}")


def options_of(request):
    words = iter(request)
    options = {}
    for word in words:
        if not word.startswith("--"):
            return options, [word, *words]
        name, _, value = word[2:].partition("=")
        options[name] = value


def main():
    wave, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    print("seed", seed)
    generator = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "with a space"
        folder.mkdir()
        shutil.copy(MODEL, folder / STUDY[0])
        scheduler = Scheduler(folder)

        def run(*words, code=0):
            done = subprocess.run(words, cwd=folder, env=scheduler.environment, text=True, capture_output=True)
            expect(done.returncode == code, f"{words} ends with {code}: {done.stderr}")
            return done.stdout

        run(wave, "sweep", *STUDY, "--out", "whole.json", code=1)  # some of its points fail
        run(wave, "sweep", *STUDY, "--out", "results.csv", "--format", "json", "--slurm", str(PARTS))
        script = folder / "results.csv.slurm"
        expect(not (folder / "results.csv").exists(), "writing a job computes nothing")

        shown = run("bash", script, "--dry-run", "--time=1:00:00")
        expect(not scheduler.take() and not (folder / "results.csv.parts").exists(), "a dry run submits nothing")
        expect(shown.count("sbatch") == 2 and shown.count("--time=1:00:00") == 2, f"a dry run shows both jobs: {shown}")

        run("bash", script, "--time=1:00:00")
        (array, merge) = scheduler.take()
        options, words = options_of(array)
        expect(options["array"] == f"1-{PARTS}" and "requeue" in options and options["time"] == "1:00:00", array)
        parts = folder / "results.csv.parts"
        hows = [["node", "time", "preempted"], ["time", "preempted"], ["preempted", "node"]]
        for number in range(1, PARTS + 1):
            generator.shuffle(hows[number - 1])
            if number < PARTS:
                scheduler.run_part(options, words, number, hows[number - 1], parts)
        # The last part never came to its end: submitting again asks for that one alone.
        run("bash", script)
        (array, merge) = scheduler.take()
        options, words = options_of(array)
        expect(options["array"] == str(PARTS), array)
        scheduler.run_part(options, words, PARTS, hows[PARTS - 1], parts)

        options, words = options_of(merge)
        expect(options["dependency"].startswith("afterok:"), merge)
        expect(";" not in options["dependency"], "the name of a cluster is no part of a job's number")
        scheduler.start(options, words, {}).wait(60)
        expect((folder / "results.csv").exists(), (parts / "merge.log").read_text())
        expect((folder / "results.csv").read_bytes() == (folder / "whole.json").read_bytes(),
               "parts that were killed and queued again become the file of an undivided study")
        print("ended:", scheduler.ends)


main()
