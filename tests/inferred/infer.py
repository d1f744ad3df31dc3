#!/usr/bin/env python3
"""Makes models of recorded runs and holds them against runs that they were not made of.

usage: infer.py WAVE RUNS CASES MODEL

RUNS is a folder with the runs, CASES says which belong together (cases.txt), MODEL is one of them."""
import os
import re
import subprocess
import sys
import tempfile


def cases(file):
    found, own = {}, None
    for line in open(file):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "model":
            own = found[words[1]] = {"lines": int(words[2]), "of": [], "held": [], "doubt": []}
        else:
            own[words[0]].append(" ".join(words[1:]))
    return found


def ranks_of(folder):
    return sum(name.startswith("r0") for name in os.listdir(folder))


def lines_of(text):
    """Of the models, without comments and tests."""
    models = text.split('\ntest "')[0]
    return sum(bool(line.strip()) and not line.strip().startswith("//") for line in models.split("\n"))


def main():
    wave, runs, file, name = sys.argv[1:]
    case = cases(file)[name]
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.wave")
        # However busy the machine is, and whatever the sanitizers cost.
        recorded = [os.path.join(runs, run) for run in case["of"]]
        made = subprocess.run([wave, "infer", "--time-limit", "none", *recorded, "-o", model],
                              capture_output=True, text=True, timeout=300)
        print(made.stdout, made.stderr)
        if case["lines"] == 0:
            assert made.returncode == 1 and not os.path.exists(model) and "E0723" in made.stderr, "it makes a model"
            return
        assert made.returncode == 0, "it makes no model"
        for doubt in case["doubt"]:
            assert doubt in made.stderr, f"the report does not say: {doubt}"
        text = open(model).read()
        lines = lines_of(text)
        print(lines, "lines")
        assert lines <= case["lines"], "the model is longer"
        tests = subprocess.run([wave, "test", "--time-limit", "none", model], capture_output=True, text=True, timeout=300)
        print(tests.stdout, tests.stderr)
        assert tests.returncode == 0, "the model fails its own tests"
        parameters = re.findall(r"^  param (\w+): int", text, re.M)
        for run in case["of"] + case["held"]:
            folder_of_run, given = run.split(":")
            options = [f"-D{one}" for one in given.split(",") if one.split("=")[0] in parameters]
            if "ranks" in parameters:
                options.append(f"-Dranks={ranks_of(os.path.join(runs, folder_of_run))}")
            if "recorded" in parameters and run in case["of"]:
                options.append(f"-Drecorded={case['of'].index(run) + 1}")
            against = subprocess.run([wave, "check", model, "--against", os.path.join(runs, folder_of_run), *options],
                                     capture_output=True, text=True, timeout=300)
            print(run, against.stdout, against.stderr)
            assert against.returncode == 0, f"the model does something else than {run}"


if __name__ == "__main__":
    main()
