#!/usr/bin/env python3
"""Measures all benchmarks in one go.

measure.py --record BIN README [NAME]...
    runs the benchmarks of a build, all or these, writes what they print between `<!-- measured: NAME -->` and `<!-- end -->` of the
    page, and names the rows that lost 10 % against what stood there. The page changes only if all benchmarks succeed.
measure.py --against OTHER-BIN BIN [NAME]...
    runs two builds in turns, and compares the medians of Wave's own times row by row.
"""
import os
import re
import statistics
import subprocess
import sys

ROUNDS = 3
ours = {"Wave", "Wave, as it chooses", "no kernels cached", "kernels cached", "Wave, one evaluation", "`wave run`, whole process"}
units = {"us": 1e-6, "ms": 1e-3, "s": 1}
region = re.compile(r"(<!-- measured: (\w+) -->\n).*?(<!-- end -->)", re.S)


def names_in(folder):
    """The benchmarks of a build, in the order in which its script runs them."""
    with open(os.path.join(folder, "bench")) as script:
        return re.search(r"^for name in ([\w ]+); do$", script.read(), re.M).group(1).split()


def run(folder, name):
    print(f"{name} of {folder} ...", file=sys.stderr, flush=True)
    done = subprocess.run([os.path.join(folder, "bench"), name], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}\n{name} of {folder} failed ({done.returncode})")
    return done.stdout.strip("\n")


def times_in(text):
    """Wave's times in seconds by title, row and column. Titles keep apart rows of the same name."""
    times, title, header = {}, "", []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            title, header = (line or title), []
        elif not header:
            header = cells
        else:
            for column, cell in zip(header, cells):
                # "1.2 (1.1)" is wall and CPU time in milliseconds, as the title says.
                found = re.match(r"[\d.]+ \(([\d.]+)\)()", cell) or re.match(r"([\d.]+) (us|ms|s)\b", cell)
                if column in ours and found:
                    times[title, row_name(cells[0]), column] = float(found[1]) * units[found[2] or "ms"]
    return times


def row_name(cell):
    """What a row measures, without how it was evaluated, which stands in parentheses and may change."""
    return re.sub(r"(?<=.) \(.*\)$", "", cell)


def describe(key, before, after):
    title, row, column = key
    return f"{after / before - 1:+7.1%}  {before:9.3e} s -> {after:9.3e} s  {title[:60]} | {row} | {column}"


def record(folder, page, wanted):
    with open(page) as file:
        old = file.read()
    kept = {name for _, name, _ in region.findall(old)}
    names = names_in(folder)
    if missing := set(names) - kept:
        sys.exit(f"{page} has no place for {', '.join(sorted(missing))}: add `<!-- measured: NAME -->` and `<!-- end -->`")
    if unknown := set(wanted) - set(names):
        sys.exit(f"there is no benchmark {', '.join(sorted(unknown))}")
    measured = {name: run(folder, name) for name in wanted or names}

    def replace(match):
        found = measured.get(match[2])  # a peer that is not installed keeps its rows
        return match[0] if found is None else f"{match[1]}{found}\n{match[3]}"

    new = region.sub(replace, old)
    with open(page + ".new", "w") as file:
        file.write(new)
    os.replace(page + ".new", page)
    before, after = times_in(old), times_in(new)
    for key in after:
        if key in before and after[key] > 1.1 * before[key]:
            print(describe(key, before[key], after[key]))


def compare(other, folder, names):
    runs = {other: {}, folder: {}}
    for name in names or names_in(folder):
        for turn in range(ROUNDS):
            for build in (other, folder) if turn % 2 == 0 else (folder, other):
                for key, seconds in times_in(run(build, name)).items():
                    runs[build].setdefault(key, []).append(seconds)
    for key in runs[folder]:
        if key in runs[other]:
            print(describe(key, statistics.median(runs[other][key]), statistics.median(runs[folder][key])))


def main(arguments):
    if len(arguments) >= 3 and arguments[0] == "--record":
        record(arguments[1], arguments[2], arguments[3:])
    elif len(arguments) >= 3 and arguments[0] == "--against":
        compare(arguments[1], arguments[2], arguments[3:])
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
