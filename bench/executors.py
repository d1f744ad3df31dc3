#!/usr/bin/env python3
"""What it costs to have points evaluated elsewhere: a formula on executors, beside Dask and Optuna point by point.

usage: executors.py WAVE     as root: a network of its own counts the bytes

Needs Debian's python3-distributed and python3-optuna. Prints the table of docs/many-machines.md.
"""
import concurrent.futures
import functools
import os
import pathlib
import sys
import tempfile
import time

PACKAGE = pathlib.Path(sys.argv[1]).resolve().parent.parent / "python"
sys.path.insert(0, str(PACKAGE))
import wavemodel as wm  # noqa: E402

TEXT = """wave 1
model Formula { param n: int = 4 param m: int = 4 output total = n * 3 us + m * 2 us + max(n, m) * 1 us }
"""
FEW = {"n": "1..100", "m": "1..100"}
LU = pathlib.Path(__file__).resolve().parent.parent / "tests/language/section7/lu.wave"
MANY = {"n": "1..2000", "m": "1..2000"}


def bytes_moved():
    devices = pathlib.Path("/proc/self/net/dev").read_text().splitlines()
    return sum(int(line.split()[1]) for line in devices if line.strip().startswith("lo:"))


def cpu_seconds():
    """Of this process and of all that it has started."""
    import psutil

    own = psutil.Process()
    times = [one.cpu_times() for one in [own, *own.children(recursive=True)]]
    return sum(one.user + one.system for one in times)


def measured(what, points, call):
    begin, used, moved = time.monotonic(), cpu_seconds(), bytes_moved()
    call()
    seconds, used, moved = time.monotonic() - begin, cpu_seconds() - used, bytes_moved() - moved
    size = f"{moved / points:.3g}" if moved else ""
    print(f"| {what} | {points:,} | {seconds:.3g} s | {used:.3g} s | {seconds / points * 1e6:.3g} us | {size} |", flush=True)


@functools.lru_cache
def model():
    return wm.loads(TEXT, threads=1)


def total(n, m):
    """One point, as a function that Dask is given."""
    return float(model().run(n=n, m=m).total)


def reduced(**where):
    """A billion points of LU, of which a few figures are kept."""
    lu = wm.load(LU, threads=1)
    lu.sweep({"n": "1..50", "m": "1..50", "Wg": "[0.0001 us * k for k in 1..400000]"}, show=["step"], **where,
             reduce=["best 10 of step", "mean and extremes of step by n", "quantiles 5%, 50%, 95% of step"])


def point_by_point(client):
    pairs = [(n, m) for n in range(1, 101) for m in range(1, 101)]
    client.gather(client.map(total, [n for n, _ in pairs], [m for _, m in pairs], pure=False))


def optuna_study():
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    study.optimize(lambda trial: total(trial.suggest_int("n", 1, 100), trial.suggest_int("m", 1, 100)), n_trials=10000)


def main():
    from distributed import Client, LocalCluster

    print("| | points | time | processor time | time a point | bytes moved a point |\n|---|---|---|---|---|---|")
    model().sweep(FEW)  # compiles it
    measured("alone, on one thread", 4 * 10**6, lambda: model().sweep(MANY))
    measured("LU reduced, alone, on one thread", 10**9, reduced)
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        model().sweep(FEW, executor=pool, workers=2)
        measured("two processes of `concurrent.futures`", 4 * 10**6,
                 lambda: model().sweep(MANY, executor=pool, workers=2))
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        pool = client.get_executor(pure=False)
        model().sweep(FEW, executor=pool, workers=2)
        measured("two workers of Dask", 4 * 10**6, lambda: model().sweep(MANY, executor=pool, workers=2))
        measured("two workers of Dask", 10**4, lambda: model().sweep(FEW, executor=pool, workers=2))
        measured("LU reduced, two workers of Dask", 10**9, lambda: reduced(executor=pool, workers=2))
        client.gather(client.map(total, [1, 2], [1, 2], pure=False))
        measured("two workers of Dask, point by point", 10**4, lambda: point_by_point(client))
    measured("Optuna, point by point, in this process", 10**4, optuna_study)


if __name__ == "__main__":
    if "--inside" not in sys.argv:
        inside = 'ip link set lo up && exec "$@"'
        os.execvp("unshare", ["unshare", "--net", "sh", "-c", inside, "_", sys.executable, *sys.argv, "--inside"])
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PYTHONPATH"] = f"{PACKAGE}:{pathlib.Path(__file__).resolve().parent}"
        os.chdir(folder)
        main()
