#!/usr/bin/env python3
"""Selects mutants of a build one by one, and expects a test to fail.

campaign.py BUILD [--count N] [--seed S] [--jobs J] [--only TEXT]
    draws N of the mutants whose place contains TEXT, and prints those that survive. A mutant that no test comes to is
    a survivor, too. A test that takes ten times as long as without a mutant has failed.
campaign.py BUILD --mutant NUMBER
    says which tests fail with that one.
"""
import argparse
import concurrent.futures
import glob
import os
import random
import struct
import subprocess
import sys
import tempfile
import time

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def steps_of(build):
    """Commands, each with a name. They are independent of each other, so the quick ones go first."""
    program = lambda name: os.path.join(build, "bin", name)
    wave = program("wave")
    steps = {name: [program(name)] for name in
             ("test_analysis", "test_closed_form", "test_interpreter", "test_ir", "test_plan", "test_processes",
              "test_symbolic")}
    steps["language"] = [wave, "test", *sorted(glob.glob("tests/language/*.wave"))]
    steps["language, message by message"] = [*steps["language"], "--engine", "interpreter", "--no-shortcuts"]
    steps["language, compiled"] = [*steps["language"], "--engine", "jit"]
    steps["library"] = [wave, "test", "-I", ".", *sorted(glob.glob("stdlib/tests/*.wave"))]
    steps["random systems"] = [program("parity_campaign"), "150", "1"]
    steps["random processes"] = [program("process_campaign"), "60", "1"]
    steps["random machines with resources"] = [program("process_campaign"), "--resources", "40", "1"]
    for path in sorted(glob.glob("tests/parity/*_test.cpp")):
        name = os.path.basename(path).removesuffix("_test.cpp")
        if name not in ("corpus", "processes", "random"):  # the steps above do the same
            steps[f"parity: {name}"] = [program("test_parity"), "--warn", "NoTests", "-#", f"[#{name}_test]"]
    return steps


def run(command, limit, mutant=None, reached=None):
    """Whether it succeeds, and its seconds."""
    environment = dict(os.environ, WAVE_CACHE="off")
    if mutant is not None:
        environment["WAVE_MUTANT"] = str(mutant)
    if reached is not None:
        environment["WAVE_MUTANTS_REACHED"] = reached
    begin = time.monotonic()
    try:
        done = subprocess.run(["prlimit", "--as=8589934592", "--core=0", *command], cwd=root, env=environment, timeout=limit,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return done.returncode == 0, time.monotonic() - begin
    except subprocess.TimeoutExpired:
        return False, time.monotonic() - begin


def mutants_of(build):
    mutants = {}
    for path in glob.glob(os.path.join(build, "mutants", "*.txt")):
        with open(path) as lines:
            for line in lines:
                number, place = line.rstrip("\n").split(" ", 1)
                mutants[int(number)] = place
    return mutants


def survey(steps):
    """The steps with their seconds and the mutants that each comes to, the quickest first."""
    found = []
    for name, command in steps.items():
        with tempfile.NamedTemporaryFile() as reached:
            succeeded, seconds = run(command, 600, reached=reached.name)
            numbers = {one for one, in struct.iter_unpack("Q", reached.read())}
        if not succeeded:
            sys.exit(f"`{name}` fails without a mutant: {' '.join(command)}")
        print(f"{seconds:6.1f} s  {len(numbers):5} mutants reached by {name}", flush=True)
        if numbers:
            found.append((seconds, name, command, numbers))
    return sorted(found, key=lambda one: one[0])


def judge(mutant, surveyed):
    """What notices the mutant, or None; and by how many steps it is reached."""
    steps = [one for one in surveyed if mutant in one[3]]
    for seconds, name, command, _ in steps:
        if not run(command, 5 + 10 * seconds, mutant)[0]:
            return name, len(steps)
    return None, len(steps)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    parser.add_argument("--mutant", type=int)
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    os.chdir(root)
    mutants = mutants_of(build)
    steps = steps_of(build)
    if options.mutant is not None:
        print(mutants.get(options.mutant, "there is no such mutant"))
        for name, command in steps.items():
            print(f"{'passes' if run(command, 600, options.mutant)[0] else 'FAILS ':6}  {name}", flush=True)
        return
    places = sorted((place, number) for number, place in mutants.items() if options.only in place)
    drawn = sorted(random.Random(options.seed).sample(places, min(options.count, len(places))))
    print(f"{len(drawn)} of {len(places)} mutants, seed {options.seed}", flush=True)
    surveyed = survey(steps)
    killed, survivors, begin = {}, [], time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        verdicts = pool.map(lambda one: (one, judge(one[1], surveyed)), drawn)
        for done, ((place, number), (by, reaching)) in enumerate(verdicts, 1):
            if by is None:
                survivors.append((place, number, reaching))
                print(f"survives: {place}  ({number}, {reaching} steps come to it)", flush=True)
            else:
                killed[by] = killed.get(by, 0) + 1
            if done % 50 == 0:
                print(f"{done} of {len(drawn)} in {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    for by, count in sorted(killed.items(), key=lambda one: -one[1]):
        print(f"{count:5} noticed by {by}")
    unreached = sum(reaching == 0 for _, _, reaching in survivors)
    print(f"{len(drawn)} mutants: {len(drawn) - len(survivors)} noticed, {len(survivors)} not, {unreached} of these "
          "never reached")


if __name__ == "__main__":
    main()
