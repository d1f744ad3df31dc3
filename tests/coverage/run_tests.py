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


def commands(build, arguments):
    """Names, commands and folders. Programs of test cases come first, since theirs take the longest."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", *arguments], check=True,
                            stdout=subprocess.PIPE).stdout
    cases, others = {}, []
    for test in json.loads(listed)["tests"]:
        command = test.get("command", [])
        if not command:
            continue  # it was not built
        folder = next((one["value"] for one in test["properties"] if one["name"] == "WORKING_DIRECTORY"), build)
        if len(command) == 2 and os.path.basename(command[0]).startswith("test_"):
            cases.setdefault((command[0], folder), []).append(command[1])
        else:
            others.append((test["name"], command, folder))
    programs = []
    for (program, folder), names in cases.items():
        for first in range(0, len(names), CASES):
            some = names[first:first + CASES]
            programs.append((f"{os.path.basename(program)} {first + 1}-{first + len(some)}", [program, ",".join(some)], folder))
    return programs + others


def run(one):
    name, command, folder = one
    try:
        done = subprocess.run(command, cwd=folder, timeout=SECONDS, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
        return name, f"exit code {done.returncode}" if done.returncode else ""
    except subprocess.TimeoutExpired:
        return name, f"did not end within {SECONDS} s"


def main():
    build, jobs, arguments = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    os.environ["WAVE_CACHE"] = os.path.join(build, "cache")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, trouble in pool.map(run, commands(build, arguments)):
            failed += bool(trouble)
            print(f"{'FAILED' if trouble else 'passed'}  {name}" + (f": {trouble}" if trouble else ""), flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
