#!/usr/bin/env python3
"""Holds the grids of std.decomposition to all grids there are, which this script goes through one by one.

usage: grids.py WAVE [SEED]

The rules are written here a second time, over whole lists of factorisations:
- MPICH 4.0: the least difference between the largest and the smallest extent; then the largest smallest one, and so on.
- Open MPI 4.1: prime factors, the largest first, to the smallest extent.
- fitted_extents: the least border between processes that have cells, in exact fractions; then the most along the first
  axis, and so on.
"""
import csv
import functools
import io
import itertools
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction


@functools.cache
def divisors(n):
    low = [d for d in range(1, math.isqrt(n) + 1) if n % d == 0]
    return sorted({*low, *(n // d for d in low)})


def factorisations(n, axes):
    if axes == 1:
        return [(n,)]
    return [(d, *rest) for d in divisors(n) for rest in factorisations(n // d, axes - 1)]


def rising(n, axes):
    return [e for e in factorisations(n, axes) if list(e) == sorted(e)]


def balanced(n, axes):
    return min(rising(n, axes), key=lambda e: (e[-1] - e[0], [-x for x in e]))[::-1]


def open_mpi(n, axes):
    primes, d = [], 2
    while n > 1:
        while n % d == 0:
            primes.append(d)
            n //= d
        d = d + 1 if d * d <= n else max(n, d + 1)
    extents = [1] * axes
    for prime in reversed(primes):
        extents[extents.index(min(extents))] *= prime
    return tuple(sorted(extents, reverse=True))


def fitted(n, cells, weights):
    def border(extents):
        return sum((p - 1) * Fraction(w) / c for p, c, w in zip(extents, cells, weights))
    grids = [e for e in factorisations(n, len(cells)) if all(p <= c for p, c in zip(e, cells))]
    return min(grids, key=lambda e: (border(e), [-p for p in e]), default=None)


def outputs(wave, declarations):
    text = ("wave 1\nimport std.decomposition { balanced_extents, fitted_extents, open_mpi_extents }\nmodel Grids {\n"
            + "".join(f"  output {name} = {value}\n" for name, value in declarations) + "}\n")
    with tempfile.NamedTemporaryFile("w", suffix=".wave", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        ran = subprocess.run([wave, "run", file.name, "--format", "csv"], capture_output=True, text=True, check=False)
    found = {}
    for row in csv.DictReader(io.StringIO(ran.stdout)):
        found.setdefault(row["output"], []).append(int(row["value"]) if row["status"] == "evaluated" else row["status"])
    return found


def by_rule(draw):
    large = [draw.randint(1, 198) * 5040 for _ in range(3)] + [draw.randint(1, 10 ** 6) for _ in range(10)]
    for axes, (name, rule) in itertools.product((2, 3, 4), (("balanced", balanced), ("open_mpi", open_mpi))):
        for some, ns in (("all", list(range(1, 401))), ("large", large)):
            yield (f"{name}_{axes}_{some}", f"[{name}_extents(n, {axes})[k] for n in {ns}, k in 1..{axes}]",
                   list(itertools.chain.from_iterable(rule(n, axes) for n in ns)))


def by_border(draw):
    for index in range(200):
        axes = draw.randint(2, 4)
        n = draw.choice([draw.randint(1, 64), draw.choice([72, 96, 120, 128, 144, 240, 256, 360])])
        cells = [draw.choice([1, 2, 5, 12, 16, 30, 64, 100]) for _ in range(axes)]
        weights = [draw.choice([1, 1, 1, 2, 3, 0.5]) for _ in range(axes)]
        grid = fitted(n, cells, weights)
        yield (f"fitted_{index}", f"fitted_extents({n}, {cells}, {weights})",
               ["failed E0513"] if grid is None else list(grid))


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(os.environ.get("WAVE_SEED", "1"))
    draw = random.Random(seed)
    cases = [*by_rule(draw), *by_border(draw)]
    found = outputs(sys.argv[1], [(name, value) for name, value, _ in cases])
    wrong = [f"{value} is {found.get(name)}, not {expected}" for name, value, expected in cases
             if found.get(name) != expected]
    refused = sum(expected == ["failed E0513"] for _, _, expected in cases)
    if wrong or not 0 < refused < 100:
        sys.exit("\n".join([f"seed {seed}: {len(wrong)} differ, {refused} are refused", *wrong[:5]]))
    print(f"{len(cases)} lists agree; {refused} domains cannot be divided")


if __name__ == "__main__":
    main()
