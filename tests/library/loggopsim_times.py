"""Compares std.machines.loggp.LogGOPSim with the simulator of that name, rank by rank. See loggopsim/README.md.

Both serve by time, but LogGOPSim puts what must wait back with its old number, so where several wait for a processor it
may take another first. `SAME` lists the runs in which that makes no difference: every rank finishes at the same
nanosecond. In all others every rank is within 10 %.

Usage: loggopsim_times.py WAVE
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import goal_to_wave

FOLDER = pathlib.Path(__file__).parent / "loggopsim"
SAME = {
    "halo_4x4_torus_1k": {"default", "cluster", "rendezvous"},
    "halo_4x4_1m_reversed": {"cluster"},
    "pipe_1f1b_4x8_64k": {"rendezvous"},
    "ring_allreduce_8_1m": {"default", "cluster", "rendezvous"},
    "incast_8_into_1": {"cluster", "rendezvous"},
    "pairwise_8_blocking_1k": {"default", "cluster"},
}
DEADLOCKS = {("pairwise_8_blocking_1k", "rendezvous")}


def rows(name):
    with open(FOLDER / name, newline="") as file:
        return list(csv.DictReader(file))


def machine(p):
    return (f"LogGOPSim(L = {p['L_ns']} ns, o = {p['o_ns']} ns, g = {p['g_ns']} ns, G = {p['G_ns_per_B']} ns/B, "
            f"O = {p['O_ns_per_B']} ns/B, S = {p['S_B']} B)")


def run(wave, ranks, parameters):
    """When each rank finishes, in ns; None: they wait for each other."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "schedule.wave"
        path.write_text(goal_to_wave.model(ranks, machine(parameters)))
        done = subprocess.run([wave, "run", str(path), "--format", "json"], capture_output=True, text=True)
    if "processes wait for each other" in done.stderr:
        return None
    if done.returncode != 0:
        sys.exit(done.stderr)
    return finishes(json.loads(done.stdout))


def finishes(document):
    return [round(row[0], 3) for row in document["tables"]["finish"]["rows"]]


def main():
    wave, failures, equal, runs = sys.argv[1], 0, 0, 0
    expected = {}
    for row in rows("times.csv"):
        expected.setdefault((row["schedule"], row["parameter_set"]), {})[int(row["rank"])] = int(row["finish_ns"])
    for path in sorted(FOLDER.glob("*.goal")):
        ranks = goal_to_wave.read(path)
        for parameters in rows("parameters.csv"):
            name = parameters["parameter_set"]
            found, times = run(wave, ranks, parameters), expected.get((path.stem, name))
            if found is None or times is None:
                is_right = found is None and times is None and (path.stem, name) in DEADLOCKS
                print(f"{path.stem:24} {name:11} {'deadlock' if found is None else 'no deadlock'}", "" if is_right else "WRONG")
                failures += not is_right
                continue
            worst = max(abs(found[rank] - time) / time for rank, time in times.items())
            runs, equal = runs + 1, equal + (worst == 0)
            is_right = worst == 0 if name in SAME.get(path.stem, set()) else 0 < worst < 0.1
            print(f"{path.stem:24} {name:11} {'the same' if worst == 0 else f'{100 * worst:.2f} %'}", "" if is_right else "WRONG")
            failures += not is_right
    print(f"{equal} of {runs} runs the same at every rank")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
