#!/usr/bin/env python3
"""Runs the tests of a build that counts what is executed: `./dev coverage`.

run_tests.py BUILD JOBS [CTEST-ARGUMENT]...

A process that ends writes its counts for every source, which takes longer than most test cases. So programs with test
cases run some of them at a time, and not each alone, as ctest does. What fails is named; it counts all the same.
"""
import concurrent.futures
import json
import os
import subprocess
import sys

SECONDS = 1800
CASES = 8  # run by one process


def environment(properties):
    """The variables that a test's own properties set; of modifications those that put something before a path."""
    made = dict(one.split("=", 1) for one in properties.get("ENVIRONMENT", []))
    for one in properties.get("ENVIRONMENT_MODIFICATION", []):
        name, change = one.split("=", 1)
        how, value = change.split(":", 1)
        assert how == "path_list_prepend", one
        made[name] = value + os.pathsep + os.environ.get(name, "")
    return made


def commands(build, arguments):
    """Names, commands, folders and environments, in two lists: those of the second need what the first make. Programs of
    test cases come first, since theirs take the longest."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", *arguments], check=True,
                            stdout=subprocess.PIPE).stdout
    cases, makers, others = {}, [], []
    for test in json.loads(listed)["tests"]:
        command = test.get("command", [])
        if not command:
            continue  # it was not built
        properties = {one["name"]: one["value"] for one in test["properties"]}
        folder = properties.get("WORKING_DIRECTORY", build)
        if len(command) == 2 and os.path.basename(command[0]).startswith("test_"):
            cases.setdefault((command[0], folder), []).append(command[1])
        else:
            some = makers if "FIXTURES_SETUP" in properties else others
            some.append((test["name"], command, folder, environment(properties)))
    programs = []
    for (program, folder), names in cases.items():
        for first in range(0, len(names), CASES):
            some = names[first:first + CASES]
            programs.append((f"{os.path.basename(program)} {first + 1}-{first + len(some)}", [program, ",".join(some)], folder, {}))
    return [programs + makers, others]


def run(one):
    name, command, folder, variables = one
    try:
        done = subprocess.run(command, cwd=folder, env={**os.environ, **variables}, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return name, f"exit code {done.returncode}" if done.returncode else ""
    except subprocess.TimeoutExpired:
        return name, f"did not end within {SECONDS} s"


def main():
    build, jobs, arguments = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    os.environ["WAVE_CACHE"] = os.path.join(build, "cache")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for some in commands(build, arguments):
            for name, trouble in pool.map(run, some):
                failed += bool(trouble)
                print(f"{'FAILED' if trouble else 'passed'}  {name}" + (f": {trouble}" if trouble else ""), flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
