#!/usr/bin/env python3
"""Compares the order of all messages of models with that of recorded runs: every send and receive, its peer and its size.

usage: recorded_order.py WAVE

A model's order is that of its schedule, `wave trace --goal`. What was recorded is kept in recorded_order.csv: for each
rank the number of its operations, and the first 16 digits of the SHA-256 of their lines, `send BYTES RANK` and `recv
BYTES RANK`, in the order of the calls; an MPI_Sendrecv is a send and a receive. The runs are those of
stdlib/tests/data/recorded_counts.csv, which says how they were recorded.
"""
import csv
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile

MODULE = """wave 1
import std.applications.comd { CoMD }
import std.applications.hpcg { HPCG }
import std.applications.lulesh { LULESH }
import std.applications.npb { BT, CG, IS, MG, SP }
import std.machines.interconnects { Alps }

/// A machine whose collectives send nothing, so that a schedule has only what the program itself sends.
machine Quiet extends Alps {
  override collective barrier() on R[r: p] { }
  override collective broadcast from root (s: data) on R[r: p] { }
  override collective reduce to root (s: data) on R[r: p] { }
  override collective allreduce(s: data) on R[r: p] { }
  override collective total_exchange(s: data) on R[r: p] { }
  override collective alltoallv(size: fn(from: int, to: int): data) on R[r: p] { }
}
model Recorded {
  let program = MODEL
  output elapsed = program.elapsed
}
"""
RUNS = {
    "lulesh.s4.27": "LULESH(net = Quiet(), p = 27, s = 4, cycles = 3)",
    "cg.S.2": "CG(net = Quiet(), class = S, p = 2)",
    "cg.S.8": "CG(net = Quiet(), class = S, p = 8)",
    "cg.S.4": "CG(net = Quiet(), class = S, p = 4)",
    "mg.S.2": "MG(net = Quiet(), class = S, p = 2)",
    "mg.S.8": "MG(net = Quiet(), class = S, p = 8)",
    "mg.S.32": "MG(net = Quiet(), class = S, p = 32)",
    "sp.S.4": "SP(net = Quiet(), class = S, p = 4)",
    "sp.W.25": "SP(net = Quiet(), class = W, p = 25, steps = 2)",
    "bt.S.4": "BT(net = Quiet(), class = S, p = 4)",
    "bt.W.25": "BT(net = Quiet(), class = W, p = 25, steps = 2)",
    "is.S.8": "IS(net = Quiet(), class = S, p = 8)",
    "hpcg.16x24x32.6": "HPCG(net = Quiet(), px = 2, py = 3, pz = 1, nx = 16, ny = 24, nz = 32)",
    "comd.8": "CoMD(net = Quiet(), nx = 12, ny = 12, nz = 12, steps = 10, print_rate = 5)",
    "comd.12x10x8.6":
        "CoMD(net = Quiet(), px = 3, py = 2, pz = 1, nx = 12, ny = 10, nz = 8, steps = 5, print_rate = 2)",
    "comd.eam.8": "CoMD(net = Quiet(), potential = eam, nx = 12, ny = 12, nz = 12, steps = 4, print_rate = 2)",
}


def digest(lines):
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()[:16]


def schedule(wave, model):
    """The operations of each rank, in the order of the program."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "recorded.wave")
        program.write_text(MODULE.replace("MODEL", model), encoding="utf-8")
        goal = pathlib.Path(folder, "recorded.goal")
        subprocess.run([wave, "trace", program, "--model", "Recorded", "--goal", "--time-limit", "none", "-o", goal],
                       check=True)
        ranks = []
        for line in goal.read_text(encoding="utf-8").splitlines():
            if line.startswith("rank "):
                ranks.append([])
            operation = re.match(r"l\d+: (send|recv) (\d+)b (?:to|from) (\d+)", line)
            if operation:
                ranks[-1].append(" ".join(operation.groups()))
    return ranks


def main():
    wave = sys.argv[1]
    recorded = {}
    with open(pathlib.Path(__file__).with_name("recorded_order.csv"), encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            recorded.setdefault(row["run"], []).append((int(row["operations"]), row["digest"]))
    failures = [] if recorded.keys() == RUNS.keys() else ["recorded_order.csv has other runs"]
    for run, model in RUNS.items():
        found = [(len(operations), digest(operations)) for operations in schedule(wave, model)]
        wrong = [rank for rank, (a, b) in enumerate(zip(found, recorded.get(run, []))) if a != b]
        if wrong or len(found) != len(recorded.get(run, [])):
            failures.append(f"{run}: another order on ranks {wrong}, {len(found)} ranks")
    print(sum(len(ranks) for ranks in recorded.values()), "ranks compared")
    sys.exit("\n".join(failures) if failures else 0)


if __name__ == "__main__":
    main()
