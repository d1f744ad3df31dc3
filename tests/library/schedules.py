#!/usr/bin/env python3
"""Sweeps, SNAP's stages and schedules of pipelines, simulated, against what the library makes of random sizes.

A processor's program is a list of ("work", t), ("send", message) and ("recv", message), and is run by itself: a send
keeps it for o, the message arrives L later, a receive waits for it and keeps the processor for o. This code does not
know how the library says the same things. With o = L = 0 it is unit time, in which stages are counted.
usage: schedules.py WAVE [CASES [SEED]]
"""
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time


def finish(programs, o=0, L=0):
    """When the last of the processors ends its program."""
    clock = {processor: 0 for processor in programs}
    at = {processor: 0 for processor in programs}
    arrival = {}
    going = True
    while going:
        going = False
        for processor, program in programs.items():
            while at[processor] < len(program):
                what, value = program[at[processor]]
                if what == "work":
                    clock[processor] += value
                elif what == "send":
                    clock[processor] += o
                    arrival[value] = clock[processor] + L
                elif value not in arrival:
                    break
                else:
                    clock[processor] = max(clock[processor], arrival[value]) + o
                at[processor] += 1
                going = True
    if any(at[processor] < len(program) for processor, program in programs.items()):
        raise RuntimeError("a schedule that stops")
    return max(clock.values())


def sweep_programs(extents, corners, tiles, work, at_once=False, offsets=None):
    """Sweeps of a grid; a corner is a list of signs, +1 for the low end. `offsets` are the axes that messages go along,
    each a list of axes; by default one axis each."""
    offsets = offsets or [[axis] for axis in range(len(extents))]
    programs = {}
    for place in itertools.product(*[range(extent) for extent in extents]):

        def hops(corner):
            return sum(x if sign > 0 else extent - 1 - x for x, sign, extent in zip(place, corner, extents))

        blocks = [(number, tile) for number in range(len(corners)) for tile in range(tiles)]
        if at_once:
            blocks.sort(key=lambda block: (hops(corners[block[0]]) + block[1], block[0]))
        program = []
        for number, tile in blocks:
            messages = {"recv": [], "send": []}
            for along in offsets:
                for what, way in (("recv", -1), ("send", 1)):
                    other = list(place)
                    for axis in along:
                        other[axis] += way * corners[number][axis]
                    if all(0 <= x < extent for x, extent in zip(other, extents)):
                        ends = (tuple(other), place) if what == "recv" else (place, tuple(other))
                        messages[what].append((what, ends + (number, tile)))
            program += messages["recv"] + [("work", work)] + messages["send"]
        programs[place] = program
    return programs


def pipeline_programs(forward, back, m, passes):
    """Programs of stages whose parts are dealt round-robin: `forward` and `back` are the times of part 0, 1, ... of the
    network. `passes(stage)` gives the order of a stage's passes as (way, part of the stage, microbatch)."""

    def program(stage, stages):
        for way, part, k in passes(stage):
            here = part * stages + stage
            before = here - 1 if way == "F" else here + 1
            after = here + 1 if way == "F" else here - 1
            if 0 <= before < len(forward):
                yield "recv", (way, before, here, k)
            yield "work", (forward if way == "F" else back)[here]
            if 0 <= after < len(forward):
                yield "send", (way, here, after, k)

    return program


def gpipe(stages, m):
    return lambda stage: [("F", 0, k) for k in range(m)] + [("B", 0, k) for k in range(m)]


def one_forward_one_back(stages, m):
    """Megatron-LM, section 2.2.1: as many passes ahead as there are stages after this one."""

    def passes(stage):
        ahead = min(stages - 1 - stage, m)
        steady = [[("F", 0, k + ahead), ("B", 0, k)] for k in range(m - ahead)]
        return [("F", 0, k) for k in range(ahead)] + sum(steady, []) + [("B", 0, k) for k in range(m - ahead, m)]

    return passes


def interleaved(stages, parts, m):
    """The schedule of the Megatron-LM program: microbatches in groups of as many as there are stages."""

    def passes(stage):
        ahead = min((stages - stage - 1) * 2 + (parts - 1) * stages, m * parts)

        def one(way, number):
            part = number % (stages * parts) // stages
            k = number // (stages * parts) * stages + number % stages
            return (way, part if way == "F" else parts - 1 - part, k)

        steady = [[one("F", k + ahead), one("B", k)] for k in range(m * parts - ahead)]
        last = [one("B", k) for k in range(m * parts - ahead, m * parts)]
        return [one("F", k) for k in range(ahead)] + sum(steady, []) + last

    return passes


def step(forward, back, stages, m, passes, o, L):
    make = pipeline_programs(forward, back, m, passes)
    return finish({stage: list(make(stage, stages)) for stage in range(stages)}, o, L)


def kept(passes, stage):
    """The most microbatches that a stage has sent forward and not yet back."""
    held = most = 0
    for way, _, _ in passes(stage):
        held += 1 if way == "F" else -1
        most = max(most, held)
    return most


class Module:
    """A module whose outputs are to be what was simulated."""

    def __init__(self):
        self.expected = []
        self.functions = []
        self.outputs = []

    def function(self, weights):
        name = f"weights_{len(self.functions)}"
        self.functions.append(f"fn {name}(cells: int, parts: int, k: int): real = {weights}[k]")
        return name

    def expect(self, expression, value):
        self.outputs.append(f"  output case_{len(self.outputs)} = {expression}")
        self.expected.append((expression, value))

    def text(self):
        return "\n".join([
            "wave 1",
            "import std.applications.smith_waterman { SmithWaterman }",
            "import std.applications.snap { SNAP }",
            "import std.comm { Machine }",
            "import std.octants { AllOctants, Octants }",
            "import std.pipeline { Interleaved, Pipeline }",
            "machine Eager : Machine {",
            "  param o: time = 0",
            "  param L: time = 0",
            "  protocol eager(s: data) {",
            "    sender   { busy o; emit payload after L }",
            "    receiver { await payload; busy o }",
            "  }",
            "}",
            *self.functions, "model Cases {", *self.outputs, "}", ""])


def machine(o, L):
    return f"Eager(o = {o} us, L = {L} us)"


def add_octants(module, choose):
    extents = [choose.randint(1, 4) for _ in range(3)]
    tiles = choose.randint(1, 4)
    corners = [[choose.choice([1, -1]) for _ in range(3)] for _ in range(choose.randint(1, 9))]
    signs = ", ".join("(" + ",".join("+" if sign > 0 else "-" for sign in corner) + ")" for corner in corners)
    n, m, l = extents
    model = (f"Octants(net = Eager(), n = {n}, m = {m}, l = {l}, Nx = {n}, Ny = {m}, Nz = {l}, Wg = 1 us, "
             f"groups = {tiles}, EW_cell = 8 B, corners = [{signs}])")
    stages = finish(sweep_programs(extents, corners, tiles, 1))
    module.expect(f"{model}.exact / 1 us", stages)
    module.expect(f"{model}.iteration / 1 us", stages)
    module.expect(f"{model}.stages", stages)
    o, L, work = choose.randint(0, 5), choose.randint(0, 9), choose.randint(1, 30)
    costly = f"{model}(net = {machine(o, L)}, Wg = {work} us)"
    module.expect(f"{costly}.exact / 1 us", finish(sweep_programs(extents, corners, tiles, work), o, L))
    everywhere = [list(reversed(corner)) for corner in itertools.product([1, -1], repeat=3)]
    at_once = sweep_programs(extents, everywhere, tiles, 1, at_once=True)
    module.expect(f"AllOctants(base = {model}).exact / 1 us", finish(at_once))
    module.expect(f"AllOctants(base = {model}).fewest_stages", finish(at_once))


def add_snap(module, choose):
    npey, npez = choose.randint(1, 6), choose.randint(1, 6)
    chunks, ng, threads = choose.randint(1, 3), choose.randint(1, 6), choose.randint(1, 4)
    model = (f"SNAP(net = Eager(), npey = {npey}, npez = {npez}, nx = {2 * chunks}, ny = {3 * npey}, nz = {npez}, "
             f"ichunk = 2, nang = 1, ng = {ng}, nthreads = {threads}, Wg = 1 us)")
    # setup.f90: corner_sch, with direction 1 from the high end; sweep.f90: groups, then 2 nc chunks.
    y_first = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    z_first = [[-1, -1], [-1, 1], [1, 1], [1, -1]]
    threads = min(threads, ng)  # input.f90
    tiles = math.ceil(ng / threads) * 2 * chunks
    programs = sweep_programs([npey, npez], y_first if npey <= npez else z_first, tiles, 1)
    stages = finish(programs)
    module.expect(f"{model}.stages", stages)
    module.expect(f"{model}.idle", stages - 4 * tiles)
    module.expect(f"{model}.exact / 6 us", stages)
    module.expect(f"{model}.efficiency", chunks * 8 * ng / (threads * stages))
    at_once = finish(sweep_programs([npey, npez], y_first, tiles, 1, at_once=True))
    module.expect(f"{model}.exact_at_once / 6 us", at_once)
    module.expect(f"{model}.stages_at_once", at_once)


def add_smith_waterman(module, choose):
    n, m, pairs = choose.randint(1, 5), choose.randint(1, 5), choose.randint(1, 6)
    o, L = choose.randint(0, 5), choose.randint(0, 9)
    model = (f"SmithWaterman(net = {machine(o, L)}, n = {n}, m = {m}, length = {2 * n}, length_j = {3 * m}, "
             f"pairs = {pairs}, Wg = 2 us)")
    module.expect(f"{model}.exact / 1 us", finish(sweep_programs([n, m], [[1, 1]], pairs, 12), o, L))
    apart = sweep_programs([n, m], [[1, 1]], pairs, 12, offsets=[[0], [1], [0, 1]])
    module.expect(f"{model}.exact_apart / 1 us", finish(apart, o, L))


def add_pipeline(module, choose):
    p, m = choose.randint(1, 6), choose.randint(1, 9)
    f, b, o, L = choose.randint(1, 9), choose.randint(1, 9), choose.randint(0, 3), choose.randint(0, 9)
    weights = [choose.randint(1, 5) for _ in range(p)] if choose.random() < 0.7 else [1] * p
    forward, back = [f * weight for weight in weights], [b * weight for weight in weights]
    model = (f"Pipeline(net = {machine(o, L)}, p = {p}, m = {m}, t_F = {f} us, t_B = {b} us, activation = 8 B, "
             f"split = {module.function(weights)})")
    for name, passes in (("gpipe", gpipe(p, m)), ("one_forward_one_back", one_forward_one_back(p, m))):
        expected = step(forward, back, p, m, passes, o, L)
        module.expect(f"{model}.{name}_time / 1 us", expected)
        module.expect(f"{model}.{name}_exact / 1 us", expected)
        module.expect(f"{model}.{name}_bubble", 1 - m * (sum(forward) + sum(back)) / (p * expected))
    module.expect(f"{model}.ideal / 1 us", step(forward, back, p, m, gpipe(p, m), 0, 0))
    stage = choose.randint(1, p)
    module.expect(f"{model}.one_forward_one_back_memory[{stage}] / 8 B", kept(one_forward_one_back(p, m), stage - 1))
    module.expect(f"{model}.gpipe_memory / 8 B", kept(gpipe(p, m), stage - 1))


def add_interleaved(module, choose):
    p, v = choose.randint(1, 5), choose.randint(1, 4)
    m = p * choose.randint(1, 3)
    f, b, o, L = choose.randint(1, 9), choose.randint(1, 9), choose.randint(0, 3), choose.randint(0, 9)
    weights = [choose.randint(1, 5) for _ in range(p * v)] if choose.random() < 0.5 else [1] * (p * v)
    forward, back = [f * weight for weight in weights], [b * weight for weight in weights]
    passes = interleaved(p, v, m)
    # With a single stage, its parts send to themselves, in the model and here.
    model = (f"Interleaved(net = {machine(o, L)}, p = {p}, m = {m}, v = {v}, t_F = {f} us, t_B = {b} us, "
             f"activation = 8 B, split = {module.function(weights)})")
    module.expect(f"{model}.exact / 1 us", step(forward, back, p, m, passes, o, L))
    alike = step([f] * (p * v), [b] * (p * v), p, m, passes, 0, 0)
    module.expect(f"{model}.ideal / 1 us", alike)
    stage = choose.randint(1, p)
    module.expect(f"{model}.memory[{stage}] / 8 B", kept(passes, stage - 1))


def wrong_values(wave, module):
    """How many outputs of the module are not what was simulated; says which."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "cases.wave")
        with open(file, "w") as out:
            out.write(module.text())
        run = subprocess.run([wave, "run", file, "--format", "json"], capture_output=True, text=True)
    if run.returncode != 0:
        print(module.text(), run.stderr)
        return len(module.expected)
    outputs = json.loads(run.stdout)["outputs"]
    wrong = 0
    for number, (expression, value) in enumerate(module.expected):
        found = outputs[f"case_{number}"]["value"]
        if abs(found - value) > 1e-9 * max(1, abs(value)):
            print(f"{expression}: the library says {found}, the simulation {value}")
            wrong += 1
    return wrong


def main():
    wave = sys.argv[1]
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else int(time.time())
    print("seed", seed)
    choose = random.Random(seed)
    values = wrong = 0
    for first in range(0, cases, 6):
        module = Module()
        for _ in range(min(6, cases - first)):
            for add in (add_octants, add_snap, add_smith_waterman, add_pipeline, add_interleaved):
                add(module, choose)
        values += len(module.expected)
        wrong += wrong_values(wave, module)
    print(values, "values,", wrong, "wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
