#!/usr/bin/env python3
"""Wave as a library: batches and runs from Python, beside the C interface and beside the same formula by hand.

usage: library.py WAVE

The formula is the plug-and-play model of LU's sweeps on the SP/2, of std.wavefront: once with NumPy over whole columns,
once as a function of Python. Prints the tables of bench/README.md.
"""
import ctypes
import datetime
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = pathlib.Path(sys.argv[1]).resolve().parent
sys.path.insert(0, str(BIN.parent / "python"))
import numpy  # noqa: E402

import wavemodel as wm  # noqa: E402

FILE = ROOT / "bench/library.wave"
ROWS, FEW, RUNS, ROUNDS, STARTS = 1_000_000, 10_000, 2_000, 15, 15
TARGET_RATE, TARGET_OF_C = 10e6, 1 / 1.3  # rows a second; how long the C interface takes of what Python takes

L, O_S, O_L, G_S, G_L = 23e-6, 23e-6, 47e-6, 0.07e-6, 0.03e-6
POINTS, BYTES, KIB = 162, 40, 1024


def costs(size):
    """What a message of so many bytes costs: send, receive, total."""
    overhead, byte = (O_S, G_S) if size <= KIB else (O_L, G_L)
    if size < 4 * KIB:
        return overhead, overhead, 2 * overhead + L + size * byte
    send = 3 * O_S + 2 * L + overhead
    return send, O_S + 2 * L + 2 * overhead + size * byte, send + size * byte + L + overhead


def step_of(n, m, work, work_before):
    """The formula as anybody would write it for one row."""
    W, W_pre = work * POINTS / n * POINTS / m, work_before * POINTS / n * POINTS / m
    send_x, receive_x, total_x = costs(BYTES * POINTS / m)
    send_y, receive_y, total_y = costs(BYTES * POINTS / n)
    start = W_pre + (n - 1) * (W + total_x + receive_y) + (m - 1) * (W + send_x + total_y)
    stack = (receive_x + receive_y + W + send_x + send_y + W_pre) * (POINTS - 2) - W_pre
    reduced = 16e-6 + 50e-6 * math.log2(n * m) if n * m > 1 else 0
    return 2 * start + 2 * stack + reduced


def costs_of_all(size):
    small = size <= KIB
    overhead, byte = numpy.where(small, O_S, O_L), numpy.where(small, G_S, G_L)
    transfer = size * byte
    at_once = size < 4 * KIB
    send = numpy.where(at_once, overhead, 3 * O_S + 2 * L + overhead)
    receive = numpy.where(at_once, overhead, O_S + 2 * L + 2 * overhead + transfer)
    return send, receive, send + transfer + L + overhead


def step_of_all(n, m, work, work_before):
    """The same over columns."""
    W, W_pre = work * POINTS / n * POINTS / m, work_before * POINTS / n * POINTS / m
    send_x, receive_x, total_x = costs_of_all(BYTES * POINTS / m)
    send_y, receive_y, total_y = costs_of_all(BYTES * POINTS / n)
    start = W_pre + (n - 1) * (W + total_x + receive_y) + (m - 1) * (W + send_x + total_y)
    stack = (receive_x + receive_y + W + send_x + send_y + W_pre) * (POINTS - 2) - W_pre
    reduced = numpy.where(n * m > 1, 16e-6 + 50e-6 * numpy.log2(n * m), 0)
    return 2 * start + 2 * stack + reduced


def require(what, values, wanted, tolerance=0.0):
    if not numpy.allclose(values, wanted, rtol=tolerance, atol=0):
        sys.exit(f"{what} gives other values: {values[:3]} instead of {wanted[:3]}")


def in_turns(works):
    """The CPU time of each in seconds: medians of rounds in which they take turns."""
    seconds = [[] for _ in works]
    for turn in range(ROUNDS + 3):
        for i, work in enumerate(works):
            begin = time.process_time()
            work()
            if turn >= 3:  # what is compiled, is compiled by then
                seconds[i].append(time.process_time() - begin)
    return [statistics.median(one) for one in seconds]


def duration(seconds):
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 and seconds >= 1e-3 else f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e6:.1f} us"


def beside(seconds, ours, target=None):
    ratio = seconds / ours
    text = f"{duration(seconds)}, **{ratio:.3g} x**"
    return text if target is None else f"{text} ({'of' if ratio >= target else 'below'} {target:.2f})"


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


def measure_batch(model, calls, columns):
    found = numpy.empty(ROWS)
    pointers = [pointer(column) for column in columns.values()]
    few = [column[:FEW].tolist() for column in columns.values()]

    def batch():
        return model.batch(columns, ["step"])["step"]

    def batch_of_c():
        calls.library_batch(ctypes.c_size_t(ROWS), *pointers, pointer(found))

    def loop():
        return [step_of(*row) for row in zip(*few)]

    step = batch()
    batch_of_c()
    require("the C interface", found, step)
    require("the formula with NumPy", step_of_all(*columns.values()), step, 1e-12)
    require("the formula in a loop", loop(), step[:FEW], 1e-12)
    ours, c, by_hand, looped = in_turns([batch, batch_of_c, lambda: step_of_all(*columns.values()), loop])
    print(f"\nLU's step at {ROWS} rows of n, m, Wg and Wg_pre (the loop: {FEW} rows), one thread (CPU time)\n")
    print("| evaluations | Wave | million/s | C interface | NumPy by hand | Python loop |\n|---|---:|---:|---:|---:|---:|")
    rate = ROWS / ours / 1e6
    print(f"| `m.batch` (target: {TARGET_RATE * 1e-6:.0f} million/s) | {duration(ours)} | {rate:.3g} | {beside(c, ours, TARGET_OF_C)} "
          f"| {beside(by_hand, ours)} | {beside(looped * ROWS / FEW, ours)} |")


def measure_runs(model, calls, columns):
    n, work = columns["n"][:RUNS].copy(), columns["Wg"][:RUNS].copy()
    found = numpy.empty(RUNS)
    rows = list(zip(n.tolist(), work.tolist()))

    def runs():
        return [model.run(n=n, Wg=Wg).step for n, Wg in rows]

    def runs_of_c():
        calls.library_runs(ctypes.c_size_t(RUNS), pointer(n), pointer(work), pointer(found))

    def by_hand():
        return [step_of(n, 8, Wg, 0.4e-6) for n, Wg in rows]

    values = runs()
    runs_of_c()
    require("the C interface", found, values)
    require("the formula", by_hand(), values, 1e-12)
    ours, c, formula = (seconds / RUNS for seconds in in_turns([runs, runs_of_c, by_hand]))
    print("\nLU's step for one n and Wg after the other, one thread (CPU time)\n")
    print("| runs | Wave | thousand/s | C interface | a function of Python |\n|---|---:|---:|---:|---:|")
    print(f"| `m.run(n=n, Wg=Wg).step` | {duration(ours)} | {1e-3 / ours:.3g} | {beside(c, ours)} | {beside(formula, ours)} |")


def measure_starts():
    """From the start of a process to its end, with a cache of compiled code of its own."""
    first = f"import wavemodel\nwavemodel.load({str(FILE)!r}).run().step"
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": str(BIN.parent / "python"), "XDG_CACHE_HOME": folder}
        commands = [[sys.executable, "-c", code] for code in (first, "pass", "import numpy")]
        commands.append([sys.argv[1], "run", str(FILE)])
        seconds = [[] for _ in commands]
        for _ in range(STARTS):
            for i, command in enumerate(commands):
                begin = time.perf_counter()
                subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
                seconds[i].append(time.perf_counter() - begin)
    first, nothing, of_numpy, program = (statistics.median(one) for one in seconds)
    print(f"\nFrom nothing to a first answer, beyond Python's own start ({duration(nothing)}); wall time, medians of {STARTS}\n")
    print("| | Wave | `import numpy` | `wave run`, its whole process |\n|---|---:|---:|---:|")
    print(f"| `import wavemodel`, load `library.wave`, run it | {duration(first - nothing)} | {duration(of_numpy - nothing)} | {duration(program)} |")


def machine():
    """As the other benchmarks name it."""
    info = pathlib.Path("/proc/cpuinfo").read_text()
    name = re.search(r"^model name\s*: (.*)$", info, re.M)
    python = f"Python {sys.version.split()[0]}, NumPy {numpy.__version__}"
    return f"{name[1] if name else 'an unknown processor'}, {os.cpu_count()} cores, {python}, {datetime.date.today()}"


def main():
    model = wm.load(FILE, threads=1)
    calls = ctypes.CDLL(str(BIN / "library_calls.so"))
    calls.library_open(str(FILE).encode(), b"Step")
    row = numpy.arange(ROWS)
    columns = {
        "n": 1 + row % 64,
        "m": 1 + row // 64 % 64,
        "Wg": (500_000 + row * 7919 % 1_000_003) * 1e-12,
        "Wg_pre": (200_000 + row * 104729 % 500_009) * 1e-12,
    }
    print(machine())
    measure_batch(model, calls, columns)
    measure_runs(model, calls, columns)
    measure_starts()


main()
