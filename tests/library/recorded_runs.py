#!/usr/bin/env python3
"""Holds models to recorded runs: the order of all messages (every send and receive, its peer and its size), and the
collectives that are called.

usage: recorded_runs.py WAVE

A model's order is that of its schedule, `wave trace --goal`. What was recorded is kept in recorded_order.csv: for each
rank the number of its operations, and the first 16 digits of the SHA-256 of their lines, `send BYTES RANK` and `recv
BYTES RANK`, in the order of the calls; an MPI_Sendrecv is a send and a receive. The runs are those of
stdlib/tests/data/recorded_counts.csv, which says how they were recorded, and which collectives rank 0 called. Those of a
model are what `wave count` lists, for all ranks.
"""
import collections
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
import std.applications.lu { LU }
import std.applications.lulesh { LULESH }
import std.applications.npb { BT, CG, FT, IS, MG, SP }
import std.applications.snap { SNAP }
import std.applications.sweep3d { Sweep3D }
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
  output elapsed = program.ELAPSED
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
# Runs of which only the collectives are compared.
MORE_RUNS = {
    "ft.S.4": "FT(net = Quiet(), class = S, p = 4)",
    "ft.S.128": "FT(net = Quiet(), class = S, p = 128)",
    "lu.S.4": "LU(net = Quiet(), class = S, processors = 4)",
    "lu.W.8": "LU(net = Quiet(), class = W, processors = 8)",
    "s3d.50.2x3": "Sweep3D(net = Quiet(), n = 2, m = 3, Nx = 50, Ny = 50, kt = 50, mk = 10, mmi = 3, iterations = 3)",
    "snap.a": "SNAP(net = Quiet(), npey = 2, npez = 2, nx = 12, ny = 12, nz = 12, ichunk = 4, nang = 10, ng = 4, Wg = 1 us,"
              " schedule = [[4, 4, 4, 4, 1], [4, 4, 4, 1, 1], [4, 4, 1], [4]], soloutp = true)",
}
OPERATIONS = {"barrier": "Barrier", "broadcast": "Bcast", "reduce": "Reduce", "allreduce": "Allreduce",
              "total_exchange": "Alltoall", "alltoallv": "Alltoallv"}


def digest(lines):
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()[:16]


def ask(wave, verb, model, *options):
    """What a verb prints of a model."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "recorded.wave")
        elapsed = "program.time" if re.match("(LU|SNAP|Sweep3D)\\(", model) else "elapsed"
        program.write_text(MODULE.replace("MODEL", model).replace("ELAPSED", elapsed), encoding="utf-8")
        command = [wave, verb, program, "--model", "Recorded", "--time-limit", "none", *options]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def schedule(wave, model):
    """The operations of each rank, in the order of the program."""
    ranks = []
    for line in ask(wave, "trace", model, "--goal").splitlines():
        if line.startswith("rank "):
            ranks.append([])
        operation = re.match(r"l\d+: (send|recv) (\d+)b (?:to|from) (\d+)", line)
        if operation:
            ranks[-1].append(" ".join(operation.groups()))
    return ranks


def calls_of(wave, model):
    """How often each collective is called by one of its participants: {("Allreduce", 8, 64): 3}, with bytes and how many
    take part. All ranks of these programs call the same."""
    rows = {}
    for row in csv.DictReader(ask(wave, "count", model, "--format", "csv").splitlines()):
        if row["output"].endswith(".collectives"):
            rows.setdefault((row["output"], row["row"]), {})[row["column"]] = row["value"]
            assert row["column"] != "size" or row["unit"] == "B"
    processes = max((int(row["participants"]) for row in rows.values()), default=1)
    calls = collections.Counter()
    for row in rows.values():
        name = OPERATIONS[row["collective"].rpartition(".")[2]]
        participants = int(row["participants"])
        assert int(row["calls"]) * participants % processes == 0
        calls[name, float(row["size"]), participants] += int(row["calls"]) * participants // processes
    return calls


def recorded_calls():
    """The same of rank 0 of recorded runs, by run."""
    runs = {}
    counts = pathlib.Path(__file__).parents[2] / "stdlib/tests/data/recorded_counts.csv"
    with open(counts, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["rank"] == "0":
                found = re.findall(r"(\w+)\((\d+) B on (\d+)\)x(\d+)", row["collectives"])
                runs[row["run"]] = {(name, float(size), int(ranks)): int(calls) for name, size, ranks, calls in found}
    return runs


def without_keys(calls):
    """How many keys IS exchanges is known only when it runs; the model has what is expected."""
    return {call: times for call, times in calls.items() if call[0] != "Alltoallv"}


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
    calls = recorded_calls()
    for run, model in (RUNS | MORE_RUNS).items():
        found, wanted = without_keys(calls_of(wave, model)), without_keys(calls[run])
        if found != wanted:
            failures.append(f"{run}: collectives {found}, recorded {wanted}")
    print(sum(len(ranks) for ranks in recorded.values()), "ranks and the collectives of", len(RUNS | MORE_RUNS),
          "runs compared")
    sys.exit("\n".join(failures) if failures else 0)


if __name__ == "__main__":
    main()
