#!/usr/bin/env python3
"""Makes a module of a trace of detours: how much longer a computation takes that begins anywhere in the trace.

usage: from_trace.py TRACE >traced.wave

A line of the trace has the time at which a detour began and how long it took, both in nanoseconds; lines that begin with
`#` are comments. Netgauge's benchmark `selfish` writes this, and LogGOPSim reads it.
"""
import sys


def detours(path):
    end = float("-inf")
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.startswith("#") or not line.strip():
                continue
            try:
                start, duration = map(float, line.split())
            except ValueError:
                sys.exit(f"{path}:{number}: a line has two numbers, when a detour began and how long it took: {line.strip()}")
            if not (start >= end and 0 < duration < float("inf")):
                sys.exit(f"{path}:{number}: a detour begins after the one before has ended, and takes some time: {line.strip()}")
            end = start + duration
            yield start, duration


# The trace goes round: behind its last detour comes what follows its first. Work is time without detours.
found = list(detours(sys.argv[1]))
if len(found) < 2 or found[-1][0] - found[0][0] <= sum(duration for _, duration in found[:-1]):
    sys.exit(f"{sys.argv[1]}: a trace has two detours at least, and work between them")
taken, rows = 0.0, {}
for start, duration in found[:-1]:
    work = start - found[0][0] - taken
    taken += duration
    rows[work] = taken
period = found[-1][0] - found[0][0] - taken

print(f"""wave 1

/// The work that fits between the {len(found) - 1} detours of a trace, and all that these took.
let period = {period:.12g} ns
let total = {taken:.12g} ns

/// What detours have taken by the time at which so much work is done.
let taken = table {{""")
print(",\n".join(f"  {work:.12g} ns: {sum_:.12g} ns" for work, sum_ in rows.items()))
print("""} step extend

fn taken_by(work: time): time = total * (work div period) + taken(work mod period)

/// How much longer `work` takes that begins anywhere in the trace, but not in a detour: by each detour that begins before
/// it has ended.
fn traced(work: time, draw: real): time = taken_by(draw * period + work) - taken_by(draw * period)""")
