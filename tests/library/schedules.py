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


def round_robin(stages):
    """The stage of a part, and its way through the network: parts are dealt round-robin."""
    return lambda part: part % stages


def there_and_back(stages):
    """Parts along the stages and back again: ZB-V; and the two directions of DualPipe."""
    return lambda part: part if part < stages else 2 * stages - 1 - part


def pipeline_programs(times, m, passes, host, length):
    """Programs of stages. `times` are those of a part forward, back to activations and to weights, each a list;
    `passes(stage)` gives the order of a stage's passes, each a list of (way, part, microbatch) with a single element
    or, overlapped, several. A microbatch goes through `length` parts."""

    def program(stage):
        for one in passes(stage):
            for what in ("recv", "work", "send"):
                for way, part, k in one:
                    other = part + (1 if (way == "F") == (what == "send") else -1)
                    is_there = way != "W" and other >= 0 and other // length == part // length
                    if what == "work":
                        yield "work", times["FBW".index(way)][part % length]
                    elif is_there and host(other) != stage:
                        ends = (other, part) if what == "recv" else (part, other)
                        yield what, (way, k) + ends

    return program


def gpipe(stages, m):
    return lambda stage: [("F", stage, k) for k in range(m)] + [("B", stage, k) for k in range(m)]


def one_forward_one_back(stages, m):
    """Megatron-LM, section 2.2.1: as many passes ahead as there are stages after this one."""

    def passes(stage):
        ahead = min(stages - 1 - stage, m)
        steady = [[("F", stage, k + ahead), ("B", stage, k)] for k in range(m - ahead)]
        last = [("B", stage, k) for k in range(m - ahead, m)]
        return [("F", stage, k) for k in range(ahead)] + sum(steady, []) + last

    return passes


def zero_bubble(stages, m, times):
    """ZB-H1 (times = 1) and ZB-H2 (2): 1F1B with passes to the weights some microbatches later, and more ahead."""

    def passes(stage):
        ahead = min(times * (stages - 1 - stage), m - 1)
        program = [("F", stage, k) for k in range(ahead)]
        waiting = []
        for k in range(m):
            if k + ahead < m:
                program.append(("F", stage, k + ahead))
            program.append(("B", stage, k))
            waiting.append(("W", stage, k))
            if len(waiting) > times * stage:
                program.append(waiting.pop(0))
        return program + waiting

    return passes


def interleaved(stages, parts, m):
    """The schedule of the Megatron-LM program: microbatches in groups of as many as there are stages, or, where that
    leaves some over, in groups that are as equal as possible."""
    groups = max(1, m // stages)
    sizes = [m // groups + (1 if group < m % groups else 0) for group in range(groups)]
    order = [(part, k) for group in range(groups) for part in range(parts)
             for k in range(sum(sizes[:group]), sum(sizes[:group + 1]))]

    def passes(stage):
        ahead = min((stages - stage - 1) * 2 + (parts - 1) * sizes[0], m * parts)

        def one(way, number):
            part, k = order[number]
            return (way, (part if way == "F" else parts - 1 - part) * stages + stage, k)

        steady = [[one("F", k + ahead), one("B", k)] for k in range(m * parts - ahead)]
        last = [one("B", k) for k in range(m * parts - ahead, m * parts)]
        return [one("F", k) for k in range(ahead)] + sum(steady, []) + last

    return passes


def zb_v(stages, m):
    """ZB-V, in the loops in which PyTorch's ScheduleZBVZeroBubble writes it down."""

    def passes(stage):
        program = []
        count = {(way, chunk): 0 for way in "FBW" for chunk in (0, 1)}

        def do(way, chunk):
            program.append((way, stage if chunk == 0 else 2 * stages - 1 - stage, count[way, chunk]))
            count[way, chunk] += 1

        for _ in range(2 * (stages - stage) - 1):
            do("F", 0)
        for _ in range(stage):
            do("F", 1)
            do("F", 0)
        for _ in range(stages - stage):
            do("F", 1)
            do("B", 1)
            do("W", 1)
        while count["F", 1] < count["F", 0] or count["F", 0] < m:
            if count["F", 0] < m:
                do("F", 0)
            for way, chunk in (("B", 0), ("W", 0), ("F", 1), ("B", 1), ("W", 1)):
                do(way, chunk)
        for _ in range(stage):
            do("B", 0)
            do("B", 1)
        for _ in range(stages - stage):
            do("B", 0)
            do("W", 0)
        for chunk in (1, 0):
            while count["W", chunk] < count["B", chunk]:
                do("W", chunk)
        return program

    return passes


def dualpipe(stages, m):
    """DualPipe, in the loops of its program; a pass is a list, of several where they overlap."""

    def passes(stage):
        half = min(stage, stages - 1 - stage)
        inside = stages // 2 - half - 1
        program, waiting = [], []
        count = {(way, phase): 0 for way in "FB" for phase in (0, 1)}

        def one(way, phase):
            phase_0 = (phase == 0) == (stage < stages // 2)   # from the first stage on
            k = count[way, phase]
            count[way, phase] += 1
            return (way, stage if phase_0 else 2 * stages - 1 - stage, k)

        def back(phase, split=False):
            b = one("B", phase)
            if split:
                waiting.append(("W",) + b[1:])
                return [b]
            return [b, ("W",) + b[1:]]

        for _ in range(2 * inside):
            program.append([one("F", 0)])
        for _ in range(half + 1):
            program.append([one("F", 0)])
            program.append([one("F", 1)])
        for _ in range(inside):
            program.append(back(1, True))
            program.append([waiting.pop(0)])
            program.append([one("F", 1)])
        for i in range(m // 2 - stages + half + 1):
            if i == 0 and inside == 0:
                program.append([one("F", 0)])
                program.append(back(1))
            else:
                program.append([one("F", 0)] + back(1))
            program.append([one("F", 1)] + back(0))
        for _ in range(inside):
            program.append(back(1))
            program.append([one("F", 1)] + back(0))
        split = False
        for i in range(half + 1):
            split = split or (i == (half + 1) // 2 and half % 2 == 1)
            program.append(back(1, split))
            split = split or (i == (half + 1) // 2 and half % 2 == 0)
            program.append(back(0, split))
        for _ in range(inside):
            program.append([waiting.pop(0)])
            program.append(back(0, True))
        return program + [[one] for one in waiting]

    return passes


def step(times, stages, m, passes, o, L, host=None, length=None):
    """How long a step takes. Passes that are no list are a pass each, one back with that to the weights unless the
    order says when that is."""

    def listed(stage):
        program = passes(stage)
        split = any(one[0] == "W" for one in program if isinstance(one, tuple))
        for one in program:
            if isinstance(one, list):
                yield one
            else:
                yield [one] if split or one[0] != "B" else [one, ("W",) + one[1:]]

    make = pipeline_programs(times, m, listed, host or round_robin(stages), length or len(times[0]))
    return finish({stage: list(make(stage)) for stage in range(stages)}, o, L)


def kept(passes, stage):
    """The most microbatches that a stage has sent forward and not yet back."""
    held = most = 0
    for way, _, _ in passes(stage):
        held += {"F": 1, "B": -1, "W": 0}[way]
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
            "import std.training.schedules { EqualStages, Schedule }",
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


def schedule(module, choose, name, p, m, parts, split, v=1):
    """A schedule of the library with stages that differ, its times and its machine. A pass back to the weights takes
    time only where it is split from the other."""
    f, b, w, o, L = [choose.randint(1, 9) for _ in range(2)] + [choose.randint(1, 9) if split else 0,
                                                                choose.randint(0, 3), choose.randint(0, 9)]
    weights = [choose.randint(1, 5) for _ in range(parts)] if choose.random() < 0.6 else [1] * parts
    times = [[t * weight for weight in weights] for t in (f, b, w)]
    model = (f"Schedule(net = {machine(o, L)}, schedule = {name}, p = {p}, m = {m}, v = {v}, t_F = {f} us, "
             f"t_B = {b} us, t_W = {w} us, activation = 8 B, split = {module.function(weights)})")
    return model, times, o, L


def add_pipeline(module, choose):
    p, m = choose.randint(1, 6), choose.randint(1, 9)
    stage = choose.randint(1, p)
    for name, passes in (("gpipe", gpipe(p, m)), ("one_forward_one_back", one_forward_one_back(p, m))):
        model, times, o, L = schedule(module, choose, name, p, m, p, False)
        expected = step(times, p, m, passes, o, L)
        module.expect(f"{model}.recurrences.{name} / 1 us", expected)
        module.expect(f"{model}.exact / 1 us", expected)
        module.expect(f"{model}.bubble", 1 - m * (sum(times[0]) + sum(times[1])) / (p * expected))
        module.expect(f"{model}.recurrences.ideal / 1 us", step(times, p, m, gpipe(p, m), 0, 0))
        module.expect(f"{model}.memory[{stage}] / 8 B", kept(passes, stage - 1))
    for name, ahead in (("zb_h1", 1), ("zb_h2", 2)):
        model, times, o, L = schedule(module, choose, name, p, 2 * p + m, p, True)
        module.expect(f"{model}.exact / 1 us", step(times, p, 2 * p + m, zero_bubble(p, 2 * p + m, ahead), o, L))


def add_interleaved(module, choose):
    p, v = choose.randint(1, 5), choose.randint(1, 4)
    m = choose.randint(1, 3 * p)
    passes = interleaved(p, v, m)
    model, times, o, L = schedule(module, choose, "interleaved", p, m, p * v, False, v)
    module.expect(f"{model}.exact / 1 us", step(times, p, m, passes, o, L))
    stage = choose.randint(1, p)
    module.expect(f"{model}.memory[{stage}] / 8 B", kept(passes, stage - 1) / v)
    if m >= p:
        alike = step([[1] * (p * v), [2] * (p * v), [0] * (p * v)], p, m, passes, 0, 0)
        module.expect(f"EqualStages(schedule = interleaved, p = {p}, m = {m}, v = {v}, t_F = {v} us, t_B = {2 * v} us)"
                      ".step / 1 us", alike)


def add_two_ways(module, choose):
    p = choose.randint(1, 5)
    m = 2 * p + choose.randint(-1, 6)
    model, times, o, L = schedule(module, choose, "zb_v", p, m, 2 * p, True)
    module.expect(f"{model}.exact / 1 us", step(times, p, m, zb_v(p, m), o, L, there_and_back(p)))
    p = 2 * choose.randint(1, 3)
    m = 2 * p + 2 * choose.randint(0, 4)
    model, times, o, L = schedule(module, choose, "dualpipe", p, m, p, True)
    module.expect(f"{model}.exact / 1 us", step(times, p, m, dualpipe(p, m), o, L, there_and_back(p), p))


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
    outputs = json.loads(run.stdout)["tables"]
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
            for add in (add_octants, add_snap, add_smith_waterman, add_pipeline, add_interleaved, add_two_ways):
                add(module, choose)
        values += len(module.expected)
        wrong += wrong_values(wave, module)
    print(values, "values,", wrong, "wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
