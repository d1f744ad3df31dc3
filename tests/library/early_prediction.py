#!/usr/bin/env python3
"""Compares std.early with the formulas of CENG 95-15, section 5.1, evaluated here for random programs.

usage: early_prediction.py WAVE [SEED]

Writes what it computes as the expectations of a test, which `wave test` then runs on the library.
"""
import math
import random
import subprocess
import sys
import tempfile


def draw_program(draw):
    """Components as (work in Mflop, time in seconds, degree of parallelism)."""
    return [(draw.randint(1, 900), draw.randint(1, 90) / 8, draw.choice([1, 2, 3, 7, 32, 256, 1000]))
            for _ in range(draw.randint(1, 6))]


def expectations(draw, program):
    components = draw_program(draw)
    n = draw.randint(1, 300)
    peak = draw.randint(10, 500)
    per_node, per_doubling = draw.randint(0, 4) / 1024, draw.randint(0, 9) / 1024
    limit, speed, speedup = draw.randint(1, 40) / 4, draw.randint(20, 4000), draw.randint(1, 60)

    work = sum(w for w, _, _ in components)
    t_1 = sum(t for _, t, _ in components)
    t_inf = sum(t / dop for _, t, dop in components)
    zero = lambda nodes: sum(t / min(dop, nodes) for _, t, dop in components)
    full = lambda nodes: zero(nodes) + per_node * nodes + per_doubling * math.log2(nodes)
    uniform = sum(w * t_1 / work / min(dop, n) for w, _, dop in components)
    t_n = full(n)

    name = f"p{program}"
    listed = ", ".join(f'Component(name = "{k}", work = {w} Mflop, t1 = {t!r} s, dop = {dop})'
                       for k, (w, t, dop) in enumerate(components))
    declared = (f"fn groups{program}(n: int): time = n * {per_node!r} s\n"
                f"fn messages{program}(n: int): time = log2(n) * {per_doubling!r} s\n"
                f"let {name} = EarlyPrediction(n = {n}, peak = {peak} Mflop/s, parallelism = groups{program}, "
                f"interaction = messages{program}, time_limit = {limit!r} s, speed_wanted = {speed} Mflop/s, "
                f"speedup_wanted = {speedup}, measured = [Measured(nodes = {n}, speedup = 3.5)],\n"
                f"  components = [{listed}])\n")

    def close(member, value, unit=""):
        return f"expect abs({name}.{member} / ({value!r}{unit}) - 1) < 1e-12"

    held = [
        close("W", float(work), " Mflop"), close("T_1", t_1, " s"), close("P_1", work / t_1, " Mflop/s"),
        close("T_inf", t_inf, " s"), f"expect {name}.N_max == {max(dop for _, _, dop in components)}",
        close("P_inf", work / t_inf, " Mflop/s"), close("average_parallelism", t_1 / t_inf),
        close("nodes_at_most", 2 * t_1 / t_inf), close("lower_bound", max(t_1 / n, t_inf), " s"),
        close("T_n", t_n, " s"), close("P_n", work / t_n, " Mflop/s"), close("S_n", t_1 / t_n),
        close("E_n", t_1 / (n * t_n)), close("U_n", work / t_n / (n * peak)),
        close("schemes[1].time", uniform, " s"), close("schemes[2].time", zero(n), " s"),
        close("schemes[1].utilisation", work / uniform / (n * peak)),
        f"expect abs({name}.errors[1].theoretical - ({1 - 3.5 * uniform / t_1!r})) < 1e-9",
        f"expect abs({name}.errors[1].zero_overhead - ({1 - 3.5 * zero(n) / t_1!r})) < 1e-9",
        f"expect abs({name}.errors[1].full_overhead - ({1 - 3.5 * t_n / t_1!r})) < 1e-9",
    ]
    for row, within in enumerate((limit, work / speed, t_1 / speedup), 1):
        if any(abs(t / within - 1) < 1e-9 for t in [t_inf] + [full(nodes) for nodes in range(1, n + 1)]):
            continue  # too close to call, because sums may round differently
        enough = next((nodes for nodes in range(1, n + 1) if full(nodes) <= within), 0)
        held += [
            close(f"requirements[{row}].within", within, " s"),
            f'expect ({name}.requirements[{row}].zero_overhead == "may be met") == {str(t_inf <= within).lower()}',
            f'expect ({name}.requirements[{row}].full_overhead == "met") == {str(t_n <= within).lower()}',
            f"expect {name}.requirements[{row}].nodes == {enough}",
        ]
    return declared + f'test "program {program}" {{\n' + "".join(f"  {line}\n" for line in held) + "}\n"


def main():
    wave = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)
    print("seed", seed)
    draw = random.Random(seed)
    with tempfile.NamedTemporaryFile("w", suffix=".wave") as program:
        program.write("wave 1\nimport std.early { Component, EarlyPrediction, Measured }\n")
        for number in range(12):
            program.write(expectations(draw, number))
        program.flush()
        sys.exit(subprocess.run([wave, "test", program.name]).returncode)


if __name__ == "__main__":
    main()
