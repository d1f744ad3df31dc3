#!/usr/bin/env python3
"""Compares std.applications.parflow and dense_lu with simulations that know none of their formulas.

usage: bulk_synchronous.py WAVE [SEED]

The wave of ParFlow++ is spread over the points of an area, neighbour by neighbour, and the points of each processor are
counted in each iteration; the factorisation is done step by step with a counter. The results become the expectations of
a test, which `wave test` then runs on the library.
"""
import random
import subprocess
import sys
import tempfile

IMPORTS = """wave 1
import std.applications.dense_lu { DenseLU }
import std.applications.parflow { ParFlow, ParFlowPartitions }
import std.machines.hockney { Hockney }
"""


def spread(nx, ny, source, iterations):
    """The number of reached points in each row, for each iteration. The first has only the source."""
    wide = nx + 2  # the area with a border of points that count as reached; point (x, y) is at (y + 1) * wide + x + 1
    reached = bytearray(b"\1") * (wide * (ny + 2))
    for y in range(1, ny + 1):
        reached[y * wide + 1:y * wide + 1 + nx] = bytes(nx)
    front = [(source[1] + 1) * wide + source[0] + 1]
    reached[front[0]] = 1
    rows = [0] * ny
    rows[source[1]] = 1
    history = []
    for _ in range(iterations):
        history.append(list(rows))
        new = []
        for place in front:
            for neighbour in (place - 1, place + 1, place - wide, place + wide):
                if not reached[neighbour]:
                    reached[neighbour] = 1
                    new.append(neighbour)
                    rows[neighbour // wide - 1] += 1
        front = new
    return history


def deal_rows(ny, strips):
    """Where the rows of each strip begin and end: whole rows, the first strips with one more."""
    sizes = [ny // strips + (1 if strip < ny % strips else 0) for strip in range(strips)]
    first = 0
    for size in sizes:
        yield first, first + size
        first += size


def parflow(history, ny, processors, partitions, t_point, t_border):
    """Sums of maxima and of all loads, and of the most borders of a processor, in microseconds."""
    strips = list(deal_rows(ny, processors * partitions))
    borders = [0] * processors
    for strip in range(1, len(strips)):
        above, below = (strip - 1) % processors, strip % processors
        if above != below:
            borders[above] += 1
            borders[below] += 1
    compute = everything = 0
    for rows in history:
        loads = [0] * processors
        for strip, (first, last) in enumerate(strips):
            loads[strip % processors] += sum(rows[first:last])
        compute += max(loads)
        everything += sum(loads)
    return compute * t_point, everything * t_point, max(borders) * len(history) * t_border


def factorisation(columns, width, processors, in_turn):
    """Sum over the steps of the most operations of a processor, and of all operations, counted one by one."""
    blocks = columns // width
    piece = -(-blocks // processors)
    owner = lambda block: block % processors if in_turn else block // piece
    compute = everything = 0
    for step in range(blocks):
        loads = [0] * processors
        first, last = step * width, step * width + width
        if step > 0:  # what the previous panel does to the blocks from here on
            for column in range(first, columns):
                for pivot in range(first - width, first):
                    loads[owner(column // width)] += 2 * (columns - pivot - 1)
        for pivot in range(first, last):  # the panel itself: a quotient for each row and an update for each column
            loads[owner(step)] += columns - pivot - 1
            for _ in range(pivot + 1, last):
                loads[owner(step)] += 2 * (columns - pivot - 1)
        compute += max(loads)
        everything += sum(loads)
    return compute, everything


def parflow_expectations(draw, areas):
    for _ in range(areas):
        nx, ny = draw.randint(1, 40), draw.randint(1, 40)
        x, y = draw.randint(1, nx), draw.randint(1, ny)
        iterations = draw.randint(0, nx + ny)
        history = spread(nx, ny, (x - 1, y - 1), iterations)
        for _ in range(3):
            processors = draw.randint(1, min(8, ny))
            partitions = draw.randint(1, max(1, ny // processors))
            t_point, t_border = draw.randint(0, 9), draw.randint(0, 9)
            compute, everything, communication = parflow(history, ny, processors, partitions, t_point, t_border)
            code = (f"ParFlow(processors = {processors}, partitions = {partitions}, nx = {nx}, ny = {ny}, "
                    f"source_x = {x}, source_y = {y}, iterations = {iterations}, t_point = {t_point} us, "
                    f"t_border = {t_border} us)")
            yield f"expect {code}.compute == {compute} us"
            yield f"expect {code}.communication == {communication} us"
            yield f"expect {code}.total == {compute + communication} us"
            yield f"expect {code}.supersteps.sequential == {everything} us"


def city_expectations():
    """The area of the paper, 16 processors, with the times that the library assumes: 2 us a point, 1 ms a border."""
    middle = 499  # of 1000 points, counted from 0
    history = spread(1000, 1000, (middle, middle), 1001)
    totals = []
    for partitions in range(1, 7):
        compute, everything, communication = parflow(history, 1000, 16, partitions, 2, 1000)
        yield f"expect ParFlow(partitions = {partitions}).imbalance == {16 * compute / everything!r} within 1e-9"
        totals.append(compute + communication)
        yield f"expect ParFlow(partitions = {partitions}).total == {compute + communication} us within 1 ps"
    yield f"expect ParFlowPartitions(most = 6).best == {1 + totals.index(min(totals))}"
    for processors in (2, 64):
        compute, everything, communication = parflow(history, 1000, processors, 1, 2, 1000)
        yield (f"expect ParFlow(processors = {processors}).speedup == {everything / (compute + communication)!r} "
               "within 1e-9")


def factorisation_expectations(draw, matrices):
    for _ in range(matrices):
        width, blocks, processors = draw.randint(1, 6), draw.randint(1, 12), draw.randint(1, 6)
        in_turn = draw.random() < 0.5
        compute, everything = factorisation(width * blocks, width, processors, in_turn)
        code = (f"DenseLU(net = Hockney(t_0 = 1 us, r_inf = 1 GB/s), processors = {processors}, "
                f"columns = {width * blocks}, width = {width}, speed = 1 Mflop/s, "
                f"dealt = {'in_turn' if in_turn else 'in_one_piece'})")
        yield f"expect {code}.compute == {compute} us within 1 ps"
        yield f"expect {code}.work == {everything} flop within 0.001 flop"


def main():
    wave = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)
    print("seed", seed)
    draw = random.Random(seed)
    tests = {
        "ParFlow++ on random areas": parflow_expectations(draw, 8),
        "ParFlow++ on the paper's area": city_expectations(),
        "factorisations of random matrices": factorisation_expectations(draw, 40),
    }
    with tempfile.TemporaryDirectory() as folder:
        programs = []
        for name, expectations in tests.items():
            programs.append(f"{folder}/{len(programs)}.wave")
            with open(programs[-1], "w", encoding="utf-8") as program:
                program.write(IMPORTS + f'test "{name}" {{\n' + "".join(f"  {line}\n" for line in expectations) + "}\n")
        sys.exit(subprocess.run([wave, "test"] + programs).returncode)


if __name__ == "__main__":
    main()
